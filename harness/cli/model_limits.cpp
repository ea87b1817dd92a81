// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/model_limits.hpp"

#include <utility>

#include "harness/cli/fit_source.hpp"
#include "model/fit/foresee.hpp"
#include "results/judge/expectations.hpp"
#include "results/judge/machine_type.hpp"
#include "results/measured_unit.hpp"
#include "results/stored_points.hpp"

namespace assay::cli {
namespace {

namespace fit = model::fit;

/// The timings of a run of one kind; nothing where it has none.
std::optional<results::TimingsCsv> timings_if_any(const results::Store& store, const std::string& run,
                                                  fit::CoefficientsKind kind) {
  try {
    return timings_csv(store, run, kind);
  } catch (const results::NoTimings&) {
    return std::nullopt;
  }
}

bool wanted(const std::string& filter, const results::TimedPoint& point) {
  return filter.empty() || results::glob_matches(filter, point.case_name) ||
         results::glob_matches(filter, point.case_name + "/" + point.key);
}

results::ExpectedTime expected(const fit::Foreseen& foreseen, const results::TimedPoint& point,
                               const std::string& run) {
  const results::PointIdentity identity = results::identity_of(point.case_name, point.key);
  return {.unit = identity.unit(point.host),
          .kind = identity.gpu.empty() ? "host" : "gpu",
          .metric = identity.metric,
          .run = run,
          .what = foreseen.what,
          .measured_us = {foreseen.measured_us, foreseen.lower_us, foreseen.upper_us},
          .expected_us = foreseen.predicted_us,
          .why_not = foreseen.seen ? "the fit has seen this point: no evidence of its own" : ""};
}

std::vector<results::ExpectedTime> expected_of(const results::Store& store, const std::string& filter,
                                               const std::string& coefficients) {
  const fit::CoefficientsKind kind = fit::kind_of_coefficients(coefficients);
  std::vector<results::ExpectedTime> times;
  for (const results::StoredRun& run : results::all_runs(store)) {
    const auto csv = timings_if_any(store, run.run_id, kind);
    if (!csv) continue;
    for (const fit::Foreseen& foreseen : fit::foresee(coefficients, {"run " + run.run_id, csv->text}))
      if (const results::TimedPoint& point = csv->points.at(foreseen.row); wanted(filter, point))
        times.push_back(expected(foreseen, point, run.run_id));
  }
  return times;
}

}  // namespace

results::Verdicts judge_by_model(const results::Store& store, const std::string& filter,
                                 const std::vector<std::string>& coefficients, double margin) {
  results::Verdicts whole{.command = "accept", .subject = "model limits"};
  for (const std::string& file : coefficients)
    results::append(
        whole, results::judge_expectations(expected_of(store, filter, file), margin, "predicted by " + file));
  return whole;
}

}  // namespace assay::cli
