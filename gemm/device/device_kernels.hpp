// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Kernels around a GEMM: operands are filled where they are used, outputs are summarised where they lie.
// A launch returns the status of the launch; the caller checks it.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "gemm/check/output.hpp"
#include "gemm/operand.hpp"

namespace assay::gemm {

/// Fills `count` elements. `table`: normal_table() in device memory. Adds the elements that saturated to
/// *saturated.
cudaError_t launch_fill(const OperandRecipe& recipe, const float* table, void* target, std::int64_t count,
                        unsigned long long* saturated, cudaStream_t stream);

/// Totals over a whole output; zero it before the launch.
struct DeviceTotals {
  unsigned long long digest_low = 0, digest_high = 0, not_whole = 0, not_finite = 0;
};

/// Summarises rows x columns elements, row-major: totals are added to, row_checksums[row] is written.
cudaError_t launch_summary(const void* output, OutputType type, std::int64_t rows, std::int64_t columns,
                           DeviceTotals* totals, std::uint64_t* row_checksums, cudaStream_t stream);

}  // namespace assay::gemm
