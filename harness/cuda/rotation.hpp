// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Cold caches: operand sets in rotation, so that between two uses of a set at least three times the L2 went
// through it; and a flush for what cannot be rotated.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "harness/cuda/buffers.hpp"

namespace assay::cuda {

/// Chooses which of `count()` equal operand sets the next iteration uses.
class RotatingSet {
 public:
  /// cold: as many sets as make count * bytes_per_set at least 3 * l2_bytes, never fewer than one; a set that
  /// large by itself needs no second one. hot: one set. bytes_per_set and l2_bytes are positive.
  static RotatingSet cold(std::int64_t bytes_per_set, std::int64_t l2_bytes);
  static RotatingSet hot() { return RotatingSet(1); }

  std::int64_t count() const { return count_; }
  /// 0, 1, ..., count-1, 0, ...
  std::int64_t next();

 private:
  explicit RotatingSet(std::int64_t count) : count_(count) {}
  std::int64_t count_;
  std::int64_t index_ = 0;
};

/// Overwrites three times the L2. It adds memory traffic and power before a sample: rotation is preferred.
class L2Flush {
 public:
  explicit L2Flush(std::int64_t l2_bytes) : scratch_(static_cast<std::size_t>(3 * l2_bytes)) {}
  void enqueue(cudaStream_t stream);

 private:
  DeviceBuffer scratch_;
};

}  // namespace assay::cuda
