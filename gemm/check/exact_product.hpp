// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The truth that products of integer data are compared with, made on the host from recipes alone by whole
// numbers: every element, and the checksums of all rows and columns the short way.
#pragma once

#include <cstddef>
#include <vector>

#include "gemm/check/logical_operands.hpp"
#include "gemm/problem.hpp"
#include "harness/integrity/checksums.hpp"
#include "harness/integrity/elements.hpp"

namespace assay::gemm {

/// D of operand set 0 with integer data, row-major, in the bits of the output type; m n k steps.
std::vector<std::byte> exact_output(const Problem& problem, int threads);

/// Checksums of the rows of one product of whole numbers, from its factors: m k + k n steps (and m n where
/// the problem accumulates).
std::vector<std::uint64_t> exact_row_checksums(const Problem& problem, const LogicalOperands& operands,
                                               int threads);

/// Checksums of rows and columns of D without D: m k + k n steps (and m n where the problem accumulates).
integrity::Checksums exact_checksums(const Problem& problem, int threads);

/// Checksums of an output in host memory.
integrity::Checksums checksums_of(const Problem& problem, const integrity::Elements& output);

/// An output as elements of its type, row-major. `output` must outlive it.
integrity::Elements elements_of(const Problem& problem, std::byte* output);

}  // namespace assay::gemm
