// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The vector kernels' loops on each instruction set.
#pragma once

#include <string_view>

#include "memory/host/vector_kernels.hpp"

namespace assay::memory {

struct VectorLoops {
  std::string_view name;  // "avx512"
  /// Once over the part. Types: fp32 and bf16.
  void (*run)(VectorKernel kernel, VectorType type, const VectorPart& part);
};

extern const VectorLoops avx512_vector_loops, avx2_vector_loops, sse2_vector_loops;

/// Those this processor executes, widest first.
std::vector<const VectorLoops*> vector_loops();

}  // namespace assay::memory
