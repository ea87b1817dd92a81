// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fit/overlap_fit.hpp"

#include <algorithm>

#include "harness/core/names.hpp"
#include "harness/core/statistics.hpp"

namespace assay::model::fit {
namespace {

constexpr double widest_supported = 0.5;

double efficiency_of(const OverlapRow& row) {
  return (row.compute_us + row.communication_us - row.time_us) / row.could_hide_us();
}

double as_share(double efficiency) { return std::clamp(efficiency, 0.0, 1.0); }

Coefficient coefficient_of(const std::vector<double>& efficiencies) {
  const core::QuantileInterval median = core::independent_quantile_interval(efficiencies, 0.5, 0.95);
  Coefficient fitted{.name = core::names::overlap_efficiency,
                     .value = as_share(median.estimate),
                     .lower = as_share(median.lower),
                     .upper = as_share(median.upper)};
  fitted.supported = fitted.upper - fitted.lower <= widest_supported;
  return fitted;
}

void judge(const std::vector<const OverlapRow*>& rows, const std::vector<double>& efficiencies,
           OverlapFit& fit) {
  for (std::size_t i = 0; i < rows.size() && rows.size() > 1; ++i) {
    std::vector<double> others = efficiencies;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    const OverlapRow& row = *rows[i];
    const auto add = [&](Errors& errors, double efficiency) {
      errors.add(row.time_us, row.time_at_us(efficiency), row.time_us);
    };
    add(fit.held_out, as_share(core::quantile_of(others, 0.5)));
    add(fit.assumed_none, 0);
    add(fit.assumed_all, 1);
  }
}

}  // namespace

OverlapFit fit_overlap(const Timings<OverlapRow>& timings) {
  std::map<std::string, std::vector<const OverlapRow*>> contests;
  for (const OverlapRow& row : timings.rows) contests[row.contest()].push_back(&row);
  OverlapFit fit;
  for (const auto& [contest, rows] : contests) {
    std::vector<double> efficiencies;
    for (const OverlapRow* row : rows) efficiencies.push_back(efficiency_of(*row));
    fit.efficiencies.emplace(contest, coefficient_of(efficiencies));
    judge(rows, efficiencies, fit);
  }
  return fit;
}

std::vector<std::string> contests_of_operation(const std::map<std::string, Coefficient>& efficiencies,
                                               std::string_view operation) {
  std::vector<std::string> found;
  for (const auto& [contest, efficiency] : efficiencies)
    if (contest.substr(0, contest.find(' ')) == operation) found.push_back(contest);
  return found;
}

}  // namespace assay::model::fit
