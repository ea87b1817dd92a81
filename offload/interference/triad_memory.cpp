// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/interference/triad_memory.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "harness/cuda/check.hpp"
#include "offload/interference/load_formula.hpp"

namespace assay::offload {
namespace {

std::int64_t array_bytes(std::int64_t bytes) {
  return std::max<std::int64_t>(1, bytes / 3 / tile_bytes) * tile_bytes;
}

}  // namespace

TriadMemory::TriadMemory(std::int64_t bytes) : memory_(static_cast<std::size_t>(3 * array_bytes(bytes))) {
  const auto one = static_cast<std::size_t>(array_bytes(bytes));
  arrays_ = {.a = memory_.as<float>(),
             .b = memory_.as<float>(one),
             .c = memory_.as<float>(2 * one),
             .tiles = static_cast<std::uint64_t>(array_bytes(bytes) / tile_bytes)};
  cuda::check(launch_fill_triad(arrays_, nullptr), "fill the arrays of a triad");
  cuda::check(cudaDeviceSynchronize(), "fill the arrays of a triad");
}

void TriadMemory::spoil(cudaStream_t stream) const {
  cuda::check(cudaMemsetAsync(arrays_.c, 0xff, static_cast<std::size_t>(arrays_.tiles) * tile_bytes, stream),
              "spoil the result of a triad");
}

std::optional<std::string> TriadMemory::wrong(std::uint64_t tiles) const {
  std::vector<float> seen(static_cast<std::size_t>(tiles * tile_floats));
  cuda::check(cudaMemcpy(seen.data(), arrays_.c, seen.size() * sizeof(float), cudaMemcpyDeviceToHost),
              "read the result of a triad");
  for (std::size_t i = 0; i < seen.size(); ++i)
    if (!(seen[i] == triad_c(i)))
      return fmt::format("stream: element {} is {}, expected {}", i, seen[i], triad_c(i));
  return std::nullopt;
}

}  // namespace assay::offload
