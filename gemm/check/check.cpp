// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "gemm/check/check.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

#include "gemm/check/exact_product.hpp"
#include "gemm/check/logical_operands.hpp"
#include "gemm/check/rounding_units.hpp"

namespace assay::gemm {
namespace {

struct Expected {
  double value = 0, bound = 0;
};

/// fp8 products are added 32 at a time by one instruction, the others are counted one by one.
double additions(const Problem& problem) {
  return static_cast<double>(problem.dtype == Dtype::fp8_e4m3 ? (problem.k + 31) / 32 : problem.k);
}

Expected expect(const Problem& problem, const LogicalOperands& operands, std::int64_t i, std::int64_t j,
                const std::vector<double>& a_row) {
  double sum = 0, largest = 0;
  for (std::int64_t k = 0; k < problem.k; ++k) {
    const double product = a_row[static_cast<std::size_t>(k)] * operands.b(k, j);
    sum += product;
    largest = std::max({largest, std::abs(sum), std::abs(product)});
  }
  const double scale = operands.result_scale(), result = sum * scale + operands.c(i, j);
  // The addition of C rounds once more, as the output does.
  return {result,
          scale * 8.0 * accumulation_unit(problem.dtype) * additions(problem) * largest +
              2.0 * output_unit(problem.output()) * std::max(std::abs(sum * scale), std::abs(result))};
}

/// An element by the row of its own product.
std::string position(const Problem& problem, std::int64_t row, std::int64_t j) {
  const std::string within = fmt::format("({}, {})", row % problem.m, j);
  return problem.batch == 1 ? within : fmt::format("{} of product {}", within, row / problem.m);
}

/// Mismatches as text, at most four of them.
struct Mismatches {
  std::vector<std::string> first;
  std::int64_t count = 0;
  void add(std::string what) {
    if (++count <= 4) first.push_back(std::move(what));
  }
};

/// Selection of the numbers that a set of operands holds.
struct Contents {
  Data data;
  int set;
};

Mismatches compare_samples(const Problem& problem, const Contents& contents,
                           const std::vector<OutputRow>& rows, std::int64_t columns) {
  Mismatches wrong;
  const bool exact = is_exact(problem, contents.data);
  std::vector<double> a_row(static_cast<std::size_t>(problem.k));
  for (const OutputRow& row : rows) {
    const LogicalOperands operands(problem, contents.data, contents.set, row.row / problem.m);
    const std::int64_t i = row.row % problem.m;
    for (std::int64_t k = 0; k < problem.k; ++k) a_row[static_cast<std::size_t>(k)] = operands.a(i, k);
    for (std::int64_t c = 0; c < columns; ++c) {
      const std::int64_t j = c * problem.n / columns;
      const Expected expected = expect(problem, operands, i, j, a_row);
      const double got = row.values.at(static_cast<std::size_t>(j));
      // Written so that NaN is wrong.
      if (std::abs(got - expected.value) <= (exact ? 0.0 : expected.bound)) continue;
      wrong.add(fmt::format("{} is {:.9g}, expected {:.9g}{}", position(problem, row.row, j), got,
                            expected.value, exact ? "" : fmt::format(" +- {:.2g}", expected.bound)));
    }
  }
  return wrong;
}

std::vector<std::uint64_t> exact_checksums_of_rows(const Problem& problem, const Contents& contents,
                                                   int threads) {
  std::vector<std::uint64_t> all;
  for (std::int64_t product = 0; product < problem.batch; ++product) {
    const auto rows =
        exact_row_checksums(problem, LogicalOperands(problem, contents.data, contents.set, product), threads);
    all.insert(all.end(), rows.begin(), rows.end());
  }
  return all;
}

core::Verification verdict(bool right, std::string why, const Digest& digest) {
  using Result = core::Verification::Result;
  return {right ? Result::right : Result::wrong, std::move(why), to_text(digest)};
}

/// Rows whose checksum differs, each located by its sampled columns where the row was sampled.
std::optional<std::string> checksum_fault(const Problem& problem, const OutputSummary& summary,
                                          const std::vector<std::uint64_t>& expected) {
  if (summary.not_whole > 0)
    return fmt::format("{} of {} elements are no whole numbers (NaN, infinity or a fraction)",
                       summary.not_whole, problem.output_elements());
  std::vector<std::int64_t> rows;
  for (std::int64_t i = 0; i < problem.rows(); ++i)
    if (summary.row_checksums.at(static_cast<std::size_t>(i)) != expected[static_cast<std::size_t>(i)])
      rows.push_back(i);
  if (rows.empty()) return std::nullopt;
  const std::size_t shown = std::min<std::size_t>(rows.size(), 8);
  return fmt::format("{} of {} rows differ from the exact product: rows {}{}", rows.size(), problem.rows(),
                     fmt::join(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                     rows.size() > shown ? ", ..." : "");
}

}  // namespace

std::vector<std::int64_t> rows_to_sample(const Problem& problem, std::int64_t count) {
  std::vector<std::int64_t> rows;
  const std::int64_t taken = std::min(problem.rows(), count);
  for (std::int64_t r = 0; r < taken; ++r)
    rows.push_back(r * problem.batch / taken * problem.m + r * problem.m / taken);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

core::Verification check(const Problem& problem, Data data, int set, const OutputSummary& summary,
                         const std::vector<OutputRow>& rows, int threads) {
  const Contents contents{data, set};
  const bool exact = is_exact(problem, data);
  const std::int64_t columns = std::min<std::int64_t>(problem.n, 32);
  if (exact) {
    const auto fault = checksum_fault(problem, summary, exact_checksums_of_rows(problem, contents, threads));
    if (fault) return verdict(false, *fault, summary.digest);
  } else if (summary.not_finite > 0) {
    return verdict(
        false, fmt::format("{} of {} elements are not finite", summary.not_finite, problem.output_elements()),
        summary.digest);
  }
  const Mismatches wrong = compare_samples(problem, contents, rows, columns);
  const auto samples = static_cast<std::int64_t>(rows.size()) * columns;
  if (wrong.count > 0)
    return verdict(false,
                   fmt::format("{} of {} sampled elements are wrong: {}", wrong.count, samples,
                               fmt::join(wrong.first, "; ")),
                   summary.digest);
  if (exact)
    return verdict(true,
                   fmt::format("all {} elements by exact row checksums, {} of them recomputed",
                               problem.output_elements(), samples),
                   summary.digest);
  return verdict(true,
                 fmt::format("{} sampled elements within the error bound, all {} finite", samples,
                             problem.output_elements()),
                 summary.digest);
}

core::Verification check_first_and_last(
    std::int64_t last, const std::function<core::Verification(std::int64_t set)>& check_set) {
  using enum core::Verification::Result;
  core::Verification of_first = check_set(0);
  if (of_first.result != right || last == 0) return of_first;
  core::Verification of_last = check_set(last);
  if (of_last.result == right) return of_first;
  of_last.why = fmt::format("operand set {}: {}", last, of_last.why);
  return of_last;
}

}  // namespace assay::gemm
