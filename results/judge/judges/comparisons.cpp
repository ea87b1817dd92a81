// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Two sides of the records compared with each other, as assay compare does.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

#include "harness/core/error.hpp"
#include "results/judge/judges.hpp"
#include "results/judge/population/run_comparison.hpp"

namespace assay::results {
namespace {

Judged judge_comparison(const Store& store, const ComparisonRequest& request) try {
  const RunComparison comparison = compare_runs(store, store, request);
  return {verdicts_of(comparison), to_table(comparison)};
} catch (const core::Error&) {
  throw;
} catch (const std::runtime_error& error) {
  return open_judgement(fmt::format("compare {} {}", fmt::join(request.a, ","), fmt::join(request.b, ",")),
                        error.what());
}

std::vector<Judged> judge_comparisons(const Evidence& evidence) {
  std::vector<Judged> all;
  for (const ComparisonRequest& request : evidence.order.comparisons)
    all.push_back(judge_comparison(evidence.store, request));
  return all;
}

}  // namespace

Judge comparisons_judge() { return {"comparisons", {}, judge_comparisons}; }

}  // namespace assay::results
