// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The silent corruption probe of products, whatever ran them: what it sweeps, what it found, and what that
// means. Operands are small whole numbers, so that every partial sum is exact in every order of summation and
// each bit of the result is known before.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gemm/check/output.hpp"
#include "gemm/points.hpp"
#include "harness/core/measure/benchmark.hpp"
#include "harness/integrity/checksums.hpp"
#include "harness/integrity/mismatch.hpp"

namespace assay::gemm {

/// m, n, k, dtype, layout.
std::vector<core::Axis> corruption_axes(const MatmulSweep& sweep);
/// The product of such a point: integer data, one operand set, the library's first choice.
Request corruption_request(const core::Point& point);

/// m, dtype, faults (of each kind), seed: what a self-test plants, in a square product.
std::vector<core::Axis> self_test_axes(const MatmulSweep& sweep);
Request self_test_request(const core::Point& point);

struct CorruptionFound {
  std::int64_t products = 0;     // each compared bit by bit with the truth
  integrity::MismatchLog wrong;  // by position in the output
  integrity::Location located;   // by the checksums of the last product
  Digest digest;                 // of the last product
};

core::Verification judge_corruption(const Problem& problem, const CorruptionFound& found);
/// verified_bytes and wrong_elements, over all products.
std::vector<core::Metric> corruption_metrics(const Problem& problem, const CorruptionFound& found);
/// products, and where the first wrong elements lie.
std::vector<core::Fact> corruption_facts(const Problem& problem, const CorruptionFound& found);

/// "(3, 17): expected 0x40400000, got 0x40400001, xor 0x1"
std::string describe(const Problem& problem, const integrity::Mismatch& wrong);

}  // namespace assay::gemm
