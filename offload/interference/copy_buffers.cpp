// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/interference/copy_buffers.hpp"

#include <fmt/core.h>

#include <cstring>
#include <vector>

#include "harness/cuda/check.hpp"
#include "offload/copy/copied_words.hpp"

namespace assay::offload {
namespace {

std::size_t size_of(std::int64_t bytes) { return static_cast<std::size_t>(bytes); }

}  // namespace

CopyBuffers::CopyBuffers(CopyFrom from, std::int64_t bytes, int node)
    : from_(from), bytes_(bytes), host_(MemoryKind::pinned, bytes, node), device_(size_of(bytes)) {
  const std::vector<std::uint64_t> words = words_to_copy(bytes);
  if (from == CopyFrom::host) {
    std::memcpy(host_.bytes().data(), words.data(), size_of(bytes));
    cuda::check(cudaMemset(device_.data(), spoiled_byte, device_.size()), "spoil the target");
  } else {
    std::memset(host_.bytes().data(), spoiled_byte, size_of(bytes));
    cuda::check(cudaMemcpy(device_.data(), words.data(), size_of(bytes), cudaMemcpyHostToDevice),
                "fill the source");
  }
  cuda::check(cudaDeviceSynchronize(), "prepare a copy");
}

void CopyBuffers::enqueue(std::int64_t offset, std::int64_t bytes, cudaStream_t stream) const {
  std::byte* host = host_.bytes().data() + offset;
  std::byte* device = device_.data() + offset;
  if (from_ == CopyFrom::host)
    cuda::check(cudaMemcpyAsync(device, host, size_of(bytes), cudaMemcpyHostToDevice, stream),
                "queue a copy to the device");
  else
    cuda::check(cudaMemcpyAsync(host, device, size_of(bytes), cudaMemcpyDeviceToHost, stream),
                "queue a copy to the host");
}

void CopyBuffers::spoil(cudaStream_t stream) const {
  constexpr std::int64_t page = 4096;
  if (from_ == CopyFrom::host)
    cuda::check(cudaMemsetAsync(device_.data(), spoiled_byte, device_.size(), stream), "spoil the target");
  else
    for (std::int64_t at = 0; at < bytes_; at += page)
      std::memset(host_.bytes().data() + at, spoiled_byte, sizeof(std::uint64_t));
}

std::optional<std::string> CopyBuffers::wrong(std::int64_t bytes) const {
  std::vector<std::byte> fetched;
  const void* seen = host_.bytes().data();
  if (from_ == CopyFrom::host) {
    fetched.resize(size_of(bytes));
    cuda::check(cudaMemcpy(fetched.data(), device_.data(), size_of(bytes), cudaMemcpyDeviceToHost),
                "read the target");
    seen = fetched.data();
  }
  const auto wrong = first_wrong_word(seen, bytes);
  if (!wrong) return std::nullopt;
  return fmt::format("word {} of a copy is not that of its source", *wrong);
}

}  // namespace assay::offload
