// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/copy/peer_copy.hpp"

#include <cuda_runtime_api.h>
#include <fmt/core.h>

#include <vector>

#include "harness/core/error.hpp"
#include "harness/cuda/check.hpp"
#include "harness/cuda/kernels.hpp"
#include "offload/copy/copied_words.hpp"

namespace assay::offload {
namespace {

using cuda::check;

cuda::DeviceBuffer buffer_on(int gpu, std::int64_t bytes) {
  const cuda::DeviceGuard guard(gpu);
  return cuda::DeviceBuffer(static_cast<std::size_t>(bytes));
}

}  // namespace

PeerCopy::PeerCopy(const PeerWay& way)
    : way_(way),
      access_(way.runs_on(), way.other()),
      access_back_(way.other(), way.runs_on()),
      source_(buffer_on(way.from, way.bytes)),
      target_(buffer_on(way.to, way.bytes)) {
  if (way.by == CopyBy::sm && !access_.possible())
    throw core::Unsupported(
        core::ErrorKind::cuda,
        fmt::format("GPU {} does not reach the memory of GPU {}: no kernel can copy (by=engine "
                    "goes through the host)",
                    way.runs_on(), way.other()));
  fill();
}

void PeerCopy::fill() {
  const std::vector<std::uint64_t> words = words_to_copy(way_.bytes);
  {
    const cuda::DeviceGuard there(way_.from);
    check(cudaMemcpy(source_.data(), words.data(), source_.size(), cudaMemcpyHostToDevice),
          "fill the source");
    check(cudaDeviceSynchronize(), "fill the source");
  }
  const cuda::DeviceGuard there(way_.to);
  check(cudaMemset(target_.data(), spoiled_byte, target_.size()), "spoil the target");
  check(cudaDeviceSynchronize(), "spoil the target");
}

void PeerCopy::enqueue(cudaStream_t stream) const {
  if (way_.by == CopyBy::sm)
    check(cuda::launch_stream_load(source_.data(), target_.data(), source_.size(), 1, way_.blocks, stream),
          "start a copy to a peer");
  else
    check(cudaMemcpyPeerAsync(target_.data(), way_.to, source_.data(), way_.from, source_.size(), stream),
          "queue a copy to a peer");
}

core::Verification PeerCopy::verify() const {
  std::vector<std::uint64_t> seen(target_.size() / sizeof(std::uint64_t));
  check(cudaMemcpy(seen.data(), target_.data(), target_.size(), cudaMemcpyDeviceToHost), "read the target");
  return compare_copied(seen.data(), way_.bytes, fmt::format("GPU {}", way_.to));
}

}  // namespace assay::offload
