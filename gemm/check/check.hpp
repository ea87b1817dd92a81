// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Is the product right? Decided on the host from the operands' recipes alone, without the library that was
// measured.
//
// Rows are those of the results of a whole batch, one product behind the other.
//
// Exact data (integer, zeros, int8): every element is part of its row's checksum sum_j c_ij w_j modulo 2^64,
// compared with sum_k a_ik (sum_j b_kj w_j) + sum_j c_ij w_j: m k + k n + m n steps instead of m n k. A
// single wrong element always shows, because w_j is odd; more of them in a row escape with a chance of about
// 2^-63.
//
// Other data: every element must be finite, and sampled elements lie within a running error bound (Higham
// 2002, section 3.3): each of k additions is wrong by at most u times the partial sum it gives, hence |error|
// <= 8 u k max(|partial sum|, |product|) + 2 u_out |result|; the 8 covers other orders of summation.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "gemm/check/output.hpp"
#include "gemm/problem.hpp"
#include "gemm/recipe.hpp"
#include "harness/core/measure/benchmark.hpp"

namespace assay::gemm {

/// Summary that a back end reads from the output it timed, rows in order.
struct OutputSummary {
  Digest digest;
  std::vector<std::uint64_t> row_checksums;  // rows() of them
  std::int64_t not_whole = 0;                // elements that are no whole number
  std::int64_t not_finite = 0;
};

/// One whole row of the output, copied back.
struct OutputRow {
  std::int64_t row = 0;
  std::vector<double> values;  // n of them
};

/// Rows spread evenly over the products and, within them, over the matrix; at most `count`, ascending.
std::vector<std::int64_t> rows_to_sample(const Problem& problem, std::int64_t count = 16);

/// Summary of an output of rows() x n that lies row-major in host memory.
OutputSummary summarize(const Problem& problem, const std::byte* output, int threads);
OutputRow read_row(const Problem& problem, const std::byte* output, std::int64_t row);

/// `threads` threads work on it. The digest of the summary is kept in the verification.
core::Verification check(const Problem& problem, Data data, int set, const OutputSummary& summary,
                         const std::vector<OutputRow>& rows, int threads);

/// Set 0 gives the digest, the same one in every run; the set written last is checked too.
core::Verification check_first_and_last(std::int64_t last,
                                        const std::function<core::Verification(std::int64_t set)>& check_set);

}  // namespace assay::gemm
