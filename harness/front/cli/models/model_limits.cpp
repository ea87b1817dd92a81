// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/models/model_limits.hpp"

#include <algorithm>

#include "harness/front/answers/fit_source.hpp"
#include "model/fit/coefficients/foresee.hpp"
#include "results/judge/limits/limits_file.hpp"
#include "results/store/measured_together.hpp"
#include "results/store/measured_unit.hpp"
#include "results/store/stored_points.hpp"

namespace assay::cli {
namespace {

namespace fit = model::fit;

/// The timings of a run of one kind; nothing where it has none.
std::optional<results::TimingsCsv> timings_if_any(const results::Store& store, const std::string& run,
                                                  fit::CoefficientsKind kind) {
  try {
    return answers::timings_csv(store, run, kind);
  } catch (const results::NoTimings&) {
    return std::nullopt;
  }
}

results::ExpectedTime expected(const fit::Foreseen& foreseen, const results::TimedPoint& point,
                               const std::string& run, const std::string& origin) {
  const results::PointIdentity identity = results::identity_of(point.case_name, point.key);
  return {.unit = identity.unit(point.host),
          .kind = identity.gpu.empty() ? "host" : "gpu",
          .metric = identity.metric,
          .run = run,
          .origin = origin,
          .what = foreseen.what,
          .measured_us = {foreseen.measured_us, foreseen.lower_us, foreseen.upper_us},
          .expected_us = foreseen.predicted_us,
          .why_not = foreseen.seen ? "the fit has seen this point: no evidence of its own" : ""};
}

void add_expected(const results::Store& store, const std::string& filter, const std::string& coefficients,
                  results::ExpectedTimes& quiet) {
  const fit::CoefficientsKind kind = fit::kind_of_coefficients(coefficients);
  for (const results::StoredRun& run : results::whole_runs(store)) {
    const auto csv = timings_if_any(store, run.run_id, kind);
    if (!csv) continue;
    const bool together = std::ranges::any_of(results::contexts_of(store, run), results::measured_together);
    for (const fit::Foreseen& foreseen : fit::foresee(coefficients, {"run " + run.run_id, csv->text})) {
      const results::TimedPoint& point = csv->points.at(foreseen.row);
      if (!results::point_matches(filter, point.case_name, point.key)) continue;
      if (together)
        ++quiet.together;
      else
        quiet.times.push_back(expected(foreseen, point, run.run_id, csv->origin));
    }
  }
}

}  // namespace

results::ExpectedTimes foretell_by_model(const results::Store& store, const std::string& filter,
                                         const std::string& coefficients) {
  const std::vector<std::string> sections = fit::sections_of_coefficients(coefficients);
  results::ExpectedTimes quiet;
  for (const std::string& section : sections)
    if (sections.size() == 1 || fit::predicts_times(fit::kind_of_coefficients(section)))
      add_expected(store, filter, section, quiet);
  return quiet;
}

}  // namespace assay::cli
