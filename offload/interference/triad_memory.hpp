// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Three arrays of a triad in device memory, filled and checked by their formulas.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/cuda/buffers.hpp"
#include "offload/interference/device/load_kernels.hpp"

namespace assay::offload {

class TriadMemory {
 public:
  /// Whole tiles of a third of `bytes` each, one at least. Throws core::Error.
  explicit TriadMemory(std::int64_t bytes);

  const TriadArrays& arrays() const { return arrays_; }
  /// Queues a fill of c with what is not a number.
  void spoil(cudaStream_t stream) const;
  /// Whether c is not a + 3 b in the first `tiles` tiles; nothing may be under way.
  std::optional<std::string> wrong(std::uint64_t tiles) const;

 private:
  cuda::DeviceBuffer memory_;
  TriadArrays arrays_;
};

}  // namespace assay::offload
