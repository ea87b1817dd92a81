// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fit/laws/overlap_fit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/core/names.hpp"
#include "harness/core/statistics/statistics.hpp"

namespace assay::model::fit {
namespace {

constexpr double widest_supported = 0.5, farthest_outside = 0.1;

double efficiency_of(const OverlapRow& row) {
  return (row.compute_us + row.communication_us - row.time_us) / row.could_hide_us();
}

double as_share(double efficiency) { return std::clamp(efficiency, 0.0, 1.0); }

/// Why this efficiency says little; "" where it says something.
std::string doubt_of(const core::QuantileInterval& median, std::size_t rows) {
  const double value = median.estimate, lower = as_share(median.lower), upper = as_share(median.upper);
  if (rows < 2) return "one row has no interval: overlap_efficiency may be anything from 0 to 1";
  if (value < -farthest_outside)
    return fmt::format("together they took longer than one after the other (overlap_efficiency {:.3g})",
                       value);
  if (value > 1 + farthest_outside)
    return fmt::format("together they took less than ideal_us (overlap_efficiency {:.3g})", value);
  if (upper - lower > widest_supported)
    return fmt::format("one overlap_efficiency does not stand for its points: {:.3g} to {:.3g}", lower,
                       upper);
  return {};
}

Coefficient coefficient_of(const core::QuantileInterval& median, std::size_t rows) {
  Coefficient fitted{.name = core::names::overlap_efficiency,
                     .value = as_share(median.estimate),
                     .lower = as_share(median.lower),
                     .upper = as_share(median.upper)};
  if (rows < 2) fitted.lower = 0, fitted.upper = 1;
  fitted.supported = doubt_of(median, rows).empty();
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
    const double of_others = as_share(core::quantile_of(others, 0.5));
    fit.unseen[row.contest()].push_back({row.point, row.time_us, row.time_at_us(of_others)});
    add(fit.held_out, of_others);
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
    const core::QuantileInterval median = core::independent_quantile_interval(efficiencies, 0.5, 0.95);
    fit.efficiencies.emplace(contest, coefficient_of(median, rows.size()));
    if (std::string doubt = doubt_of(median, rows.size()); !doubt.empty())
      fit.doubts.emplace(contest, std::move(doubt));
    judge(rows, efficiencies, fit);
  }
  return fit;
}

std::vector<std::string> contests_of_operation(const std::map<std::string, Coefficient>& efficiencies,
                                               std::string_view operation) {
  std::vector<std::string> found;
  for (const auto& [contest, efficiency] : efficiencies)
    if (ConditionedName::from(contest).operation == operation) found.push_back(contest);
  return found;
}

}  // namespace assay::model::fit
