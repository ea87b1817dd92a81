// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "gemm/check/result_detectors.hpp"

#include <cmath>
#include <limits>

#include "gemm/check/check.hpp"
#include "gemm/check/exact_product.hpp"
#include "gemm/check/logical_operands.hpp"
#include "gemm/check/rounding_units.hpp"

namespace assay::gemm {
namespace {

std::size_t as_size(std::int64_t count) { return static_cast<std::size_t>(count); }

/// Written so that NaN is beyond.
bool beyond(const std::vector<double>& got, const std::vector<double>& expected,
            const std::vector<double>& tolerance) {
  for (std::size_t i = 0; i < got.size(); ++i)
    if (!(std::abs(got[i] - expected[i]) <= tolerance[i])) return true;
  return false;
}

}  // namespace

integrity::StudyPlan with_nan(OutputType type, integrity::StudyPlan plan) {
  plan.has_nan = type != OutputType::int32;
  if (plan.has_nan) plan.nan_bits = encode(type, std::numeric_limits<double>::quiet_NaN());
  return plan;
}

ResultDetectors::ResultDetectors(const Problem& problem, const integrity::Elements& right)
    : problem_(problem),
      right_(right),
      checksums_(exact_checksums(problem, 1)),
      digest_(summarize(problem, right.data, 1).digest),
      expected_(sums_of(right)),
      tolerance_{std::vector<double>(as_size(problem.m)), std::vector<double>(as_size(problem.n))} {
  // Each of k additions is wrong by at most a unit of the sum of magnitudes, and so is the rounding of each
  // result (Higham 2002, section 3.1): the least tolerance that no right product can ever exceed. What is
  // computed with whole numbers rounds nowhere.
  if (problem.output() == OutputType::int32) return;
  const double unit =
      static_cast<double>(problem.k) * accumulation_unit(problem.dtype) + 2 * output_unit(problem.output());
  const LogicalOperands operands(problem, Data::integer, 0);
  for (std::int64_t k = 0; k < problem.k; ++k) {
    double of_a = 0, of_b = 0;
    for (std::int64_t i = 0; i < problem.m; ++i) of_a += std::abs(operands.a(i, k));
    for (std::int64_t j = 0; j < problem.n; ++j) of_b += std::abs(operands.b(k, j));
    for (std::int64_t i = 0; i < problem.m; ++i)
      tolerance_.rows[as_size(i)] += unit * std::abs(operands.a(i, k)) * of_b;
    for (std::int64_t j = 0; j < problem.n; ++j)
      tolerance_.columns[as_size(j)] += unit * std::abs(operands.b(k, j)) * of_a;
  }
}

std::vector<std::string> ResultDetectors::names() {
  return {"bits", "digest", "checksums", "tolerance", "not_finite"};
}

ResultDetectors::Sums ResultDetectors::sums_of(const integrity::Elements& result) const {
  Sums sums{std::vector<double>(as_size(problem_.m)), std::vector<double>(as_size(problem_.n))};
  for (std::int64_t i = 0; i < problem_.m; ++i)
    for (std::int64_t j = 0; j < problem_.n; ++j) {
      const double value =
          decode(problem_.output(), result.bits(static_cast<std::uint64_t>(i * problem_.n + j)));
      sums.rows[as_size(i)] += value;
      sums.columns[as_size(j)] += value;
    }
  return sums;
}

bool ResultDetectors::beyond_tolerance(const integrity::Elements& got) const {
  const Sums sums = sums_of(got);
  return beyond(sums.rows, expected_.rows, tolerance_.rows) ||
         beyond(sums.columns, expected_.columns, tolerance_.columns);
}

std::vector<bool> ResultDetectors::ask(const integrity::Elements& got, const integrity::Fault& fault) const {
  integrity::MismatchLog log{};
  integrity::compare(right_, got, log);
  const OutputSummary summary = summarize(problem_, got.data, 1);
  return {integrity::is_exactly(log, fault), summary.digest != digest_,
          !integrity::locate(checksums_, checksums_of(problem_, got)).clean(), beyond_tolerance(got),
          summary.not_finite > 0};
}

}  // namespace assay::gemm
