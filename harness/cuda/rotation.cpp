// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/cuda/rotation.hpp"

#include "harness/cuda/check.hpp"

namespace assay::cuda {

RotatingSet RotatingSet::cold(std::int64_t bytes_per_set, std::int64_t l2_bytes) {
  const std::int64_t needed = 3 * l2_bytes;
  return RotatingSet(bytes_per_set >= needed ? 1 : (needed + bytes_per_set - 1) / bytes_per_set);
}

std::int64_t RotatingSet::next() {
  const std::int64_t now = index_;
  index_ = index_ + 1 == count_ ? 0 : index_ + 1;
  return now;
}

void L2Flush::enqueue(cudaStream_t stream) {
  check(cudaMemsetAsync(scratch_.data(), 0x5a, scratch_.size(), stream), "flush the L2");
}

}  // namespace assay::cuda
