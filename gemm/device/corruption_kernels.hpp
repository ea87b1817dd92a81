// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Kernels of the silent corruption probe: the product once more by whole numbers in ordinary arithmetic
// units, the comparison of every element, checksums of columns, and a fault. A launch returns its status.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "gemm/operand.hpp"
#include "harness/integrity/mismatch.hpp"

namespace assay::gemm {

/// D = A B (+ C) of integer recipes; operands are generated again from them, not read.
struct ExactProduct {
  OperandRecipe a, b, c;
  std::int64_t m = 0, n = 0, k = 0;
  bool a_is_transposed = false, b_is_transposed = false, accumulate = false;
  OutputType type = OutputType::fp32;
};
cudaError_t launch_exact_product(const ExactProduct& product, void* output, cudaStream_t stream);

/// Logs every element whose bits differ, by position.
cudaError_t launch_compare(const void* expected, const void* got, OutputType type, std::int64_t count,
                           integrity::MismatchLog* log, cudaStream_t stream);

/// Adds to sums[column], which must be zero before: each element times the weight of its row.
cudaError_t launch_column_checksums(const void* output, OutputType type, std::int64_t rows,
                                    std::int64_t columns, std::uint64_t* sums, cudaStream_t stream);

/// Flips `bits` of one element.
cudaError_t launch_flip(void* output, OutputType type, std::int64_t position, std::uint64_t bits,
                        cudaStream_t stream);

}  // namespace assay::gemm
