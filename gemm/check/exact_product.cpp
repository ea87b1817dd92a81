// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "gemm/check/exact_product.hpp"

#include "gemm/check/logical_operands.hpp"
#include "gemm/check/output.hpp"
#include "gemm/pieces.hpp"

namespace assay::gemm {
namespace {

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

std::vector<std::int32_t> whole_b(const Problem& problem, const LogicalOperands& operands, int threads) {
  std::vector<std::int32_t> b(at(problem.k * problem.n));
  in_pieces(problem.k, threads, [&](std::int64_t begin, std::int64_t end, std::size_t) {
    for (std::int64_t k = begin; k < end; ++k)
      for (std::int64_t j = 0; j < problem.n; ++j)
        b[at(k * problem.n + j)] = static_cast<std::int32_t>(operands.b(k, j));
  });
  return b;
}

/// Row i of D as whole numbers.
void sum_row(const Problem& problem, const LogicalOperands& operands, const std::vector<std::int32_t>& b,
             std::int64_t i, std::vector<std::int32_t>& sums) {
  for (std::int64_t j = 0; j < problem.n; ++j) sums[at(j)] = static_cast<std::int32_t>(operands.c(i, j));
  for (std::int64_t k = 0; k < problem.k; ++k) {
    const auto a = static_cast<std::int32_t>(operands.a(i, k));
    const std::int32_t* row = &b[at(k * problem.n)];
    for (std::int64_t j = 0; a != 0 && j < problem.n; ++j) sums[at(j)] += a * row[j];
  }
}

std::uint64_t whole(double value) { return static_cast<std::uint64_t>(static_cast<std::int64_t>(value)); }

/// sum_i v_i a_ik for every k.
std::vector<std::uint64_t> weighted_columns_of_a(const Problem& problem, const LogicalOperands& operands,
                                                 int threads) {
  std::vector<std::uint64_t> sums(at(problem.k));
  in_pieces(problem.k, threads, [&](std::int64_t begin, std::int64_t end, std::size_t) {
    for (std::int64_t k = begin; k < end; ++k)
      for (std::int64_t i = 0; i < problem.m; ++i)
        sums[at(k)] += whole(operands.a(i, k)) * integrity::row_weight(static_cast<std::uint64_t>(i));
  });
  return sums;
}

std::vector<std::uint64_t> exact_column_checksums(const Problem& problem, const LogicalOperands& operands,
                                                  int threads) {
  const std::vector<std::uint64_t> a = weighted_columns_of_a(problem, operands, threads);
  std::vector<std::uint64_t> sums(at(problem.n));
  in_pieces(problem.n, threads, [&](std::int64_t begin, std::int64_t end, std::size_t) {
    for (std::int64_t j = begin; j < end; ++j) {
      for (std::int64_t k = 0; k < problem.k; ++k) sums[at(j)] += a[at(k)] * whole(operands.b(k, j));
      for (std::int64_t i = 0; problem.accumulate && i < problem.m; ++i)
        sums[at(j)] += whole(operands.c(i, j)) * integrity::row_weight(static_cast<std::uint64_t>(i));
    }
  });
  return sums;
}

}  // namespace

std::vector<std::byte> exact_output(const Problem& problem, int threads) {
  const LogicalOperands operands(problem, Data::integer, 0);
  const std::vector<std::int32_t> b = whole_b(problem, operands, threads);
  std::vector<std::byte> output(at(problem.output_bytes()));
  const integrity::Elements elements = elements_of(problem, output.data());
  in_pieces(problem.m, threads, [&](std::int64_t begin, std::int64_t end, std::size_t) {
    std::vector<std::int32_t> sums(at(problem.n));
    for (std::int64_t i = begin; i < end; ++i) {
      sum_row(problem, operands, b, i, sums);
      for (std::int64_t j = 0; j < problem.n; ++j)
        elements.set(static_cast<std::uint64_t>(i * problem.n + j), encode(problem.output(), sums[at(j)]));
    }
  });
  return output;
}

std::vector<std::uint64_t> exact_row_checksums(const Problem& problem, const LogicalOperands& operands,
                                               int threads) {
  std::vector<std::uint64_t> weights, weighted_b(at(problem.k)), sums(at(problem.m));
  for (std::int64_t j = 0; j < problem.n; ++j)
    weights.push_back(column_weight(static_cast<std::uint64_t>(j)));
  in_pieces(problem.k, threads, [&](std::int64_t begin, std::int64_t end, std::size_t) {
    for (std::int64_t k = begin; k < end; ++k)
      for (std::int64_t j = 0; j < problem.n; ++j)
        weighted_b[at(k)] += whole(operands.b(k, j)) * weights[at(j)];
  });
  in_pieces(problem.m, threads, [&](std::int64_t begin, std::int64_t end, std::size_t) {
    for (std::int64_t i = begin; i < end; ++i) {
      for (std::int64_t k = 0; k < problem.k; ++k) sums[at(i)] += whole(operands.a(i, k)) * weighted_b[at(k)];
      for (std::int64_t j = 0; problem.accumulate && j < problem.n; ++j)
        sums[at(i)] += whole(operands.c(i, j)) * weights[at(j)];
    }
  });
  return sums;
}

integrity::Checksums exact_checksums(const Problem& problem, int threads) {
  const LogicalOperands operands(problem, Data::integer, 0);
  return {exact_row_checksums(problem, operands, threads),
          exact_column_checksums(problem, operands, threads)};
}

integrity::Checksums checksums_of(const Problem& problem, const integrity::Elements& output) {
  integrity::Checksums sums{std::vector<std::uint64_t>(at(problem.m)),
                            std::vector<std::uint64_t>(at(problem.n))};
  for (std::int64_t i = 0; i < problem.m; ++i)
    for (std::int64_t j = 0; j < problem.n; ++j) {
      const double value =
          decode(problem.output(), output.bits(static_cast<std::uint64_t>(i * problem.n + j)));
      const ChecksumTerm in_row = checksum_term(value, static_cast<std::uint64_t>(j));
      sums.rows[at(i)] += in_row.term;
      sums.columns[at(j)] +=
          integrity::weighted(value, integrity::row_weight(static_cast<std::uint64_t>(i))).term;
      sums.not_whole += in_row.whole ? 0 : 1;
    }
  return sums;
}

integrity::Elements elements_of(const Problem& problem, std::byte* output) {
  return {output, at(element_bytes(problem.output())), problem.m, problem.n};
}

}  // namespace assay::gemm
