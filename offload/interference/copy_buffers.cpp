// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/interference/copy_buffers.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "harness/cuda/check.hpp"
#include "offload/incompressible.hpp"

namespace assay::offload {
namespace {

constexpr int spoiled = 0xA5;

std::size_t size_of(std::int64_t bytes) { return static_cast<std::size_t>(bytes); }

std::vector<std::uint64_t> content(std::int64_t bytes) {
  std::vector<std::uint64_t> words(size_of(bytes) / sizeof(std::uint64_t));
  fill_incompressibly(words);
  return words;
}

}  // namespace

CopyBuffers::CopyBuffers(CopyFrom from, std::int64_t bytes, int node)
    : from_(from), bytes_(bytes), host_(MemoryKind::pinned, bytes, node), device_(size_of(bytes)) {
  const std::vector<std::uint64_t> words = content(bytes);
  if (from == CopyFrom::host) {
    std::memcpy(host_.bytes().data(), words.data(), size_of(bytes));
    cuda::check(cudaMemset(device_.data(), spoiled, device_.size()), "spoil the target");
  } else {
    std::memset(host_.bytes().data(), spoiled, size_of(bytes));
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

std::optional<std::string> CopyBuffers::wrong(std::int64_t bytes) const {
  const std::vector<std::uint64_t> expected = content(bytes);
  std::vector<std::uint64_t> seen(expected.size());
  if (from_ == CopyFrom::host)
    cuda::check(cudaMemcpy(seen.data(), device_.data(), size_of(bytes), cudaMemcpyDeviceToHost),
                "read the target");
  else
    std::memcpy(seen.data(), host_.bytes().data(), size_of(bytes));
  const auto first = std::ranges::mismatch(expected, seen).in1;
  if (first == expected.end()) return std::nullopt;
  return fmt::format("word {} of a copy is not that of its source", first - expected.begin());
}

}  // namespace assay::offload
