// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/population/population_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <set>
#include <stdexcept>
#include <utility>

#include "harness/core/statistics/margin.hpp"
#include "results/judge/population/simulated_fleets.hpp"

namespace assay::results {
namespace {

using core::Equivalence;

constexpr double wanted_power = 0.8;
constexpr std::int64_t most_planned_unit_runs = 100;

/// The plan of an interval like this one.
core::IntervalPlan plan_of(const PopulationShift& values) {
  const auto both = static_cast<double>(values.a.size() + values.b.size());
  return {values.shift->error, both - 2, values.shift->degrees};
}

/// Beyond the margin on either side; one of the two is impossible.
double probability_within(const PopulationShift& values, double margin) {
  const double bound = std::log1p(margin);
  return std::min(core::probability_not_above(values.a, values.b, bound),
                  core::probability_not_above(values.b, values.a, bound));
}

/// Runs of each unit at which these units would decide; none where no number would.
std::optional<std::int64_t> more_runs(const PopulationShift& values, double margin, double run_share,
                                      double runs) {
  core::IntervalPlan plan = plan_of(values);
  const double error = plan.error;
  for (auto wanted = static_cast<std::int64_t>(std::ceil(runs)) + 1; wanted <= most_planned_unit_runs;
       ++wanted) {
    plan.error = error * std::sqrt(1 - run_share + run_share * runs / static_cast<double>(wanted));
    if (core::decision_power(plan, values.shift->shift, margin) >= wanted_power) return wanted;
  }
  return std::nullopt;
}

/// Worse by the shift or by the tail; as good where neither is worse.
Equivalence verdict_on(const PopulationPoint& point, double margin) {
  const double bound = std::log1p(margin);
  const bool differs = point.probability <= population_alpha;
  if (differs && point.shift->shift > 0) return Equivalence::higher;
  if (point.tail->probability <= population_alpha) return Equivalence::higher;
  if (!point.tail->is_within(margin)) return Equivalence::not_enough_data;
  if (differs) return Equivalence::lower;
  return point.shift->lower > -bound && point.shift->upper < bound ? Equivalence::equivalent
                                                                   : Equivalence::not_enough_data;
}

void plan_more(const PopulationShift& values, double margin, double run_share, double runs,
               PopulationPoint& point) {
  if (!values.shift) return;
  const auto fewer = static_cast<std::int64_t>(std::min(values.a.size(), values.b.size()));
  if (const auto needed = core::runs_needed(values.shift->shift, values.deviation(), margin))
    point.needed_units = std::max(*needed, fewer + 1);
  point.needed_runs = more_runs(values, margin, run_share, runs);
}

/// Share of the variance of a value that is due to runs, each a measurement of its unit.
double run_share_of(const PopulationValues& a, const PopulationValues& b, const PopulationShift& shift) {
  const double degrees = static_cast<double>(a.run_degrees() + b.run_degrees());
  if (degrees <= 0 || !shift.shift || shift.deviation() == 0) return 0;
  const double of_a_run = (a.squares + b.squares) / degrees;
  const double runs_of_value =
      static_cast<double>(a.runs + b.runs) / static_cast<double>(shift.a.size() + shift.b.size());
  return std::min(1.0, of_a_run / runs_of_value / std::pow(shift.deviation(), 2));
}

class Comparer {
 public:
  Comparer(const PopulationSides& sides, const PopulationRequest& request)
      : sides_(sides), request_(request) {}

  PopulationPoint point_of(const SharedMetric& metric) const {
    const auto [a, b] = values_of(metric);
    const PopulationShift shift = population_shift(a.means, b.means, base_of(metric), request_.places);
    PopulationPoint point =
        judge_shift(shift, request_.margin, run_share_of(a, b, shift),
                    static_cast<double>(a.runs + b.runs) / static_cast<double>(a.units + b.units));
    point.unit_level = metric.level;
    point.metric = metric.metric;
    point.units_of_a = a.units, point.units_of_b = b.units;
    point.runs_of_a = a.runs, point.runs_of_b = b.runs;
    return point;
  }

  /// The weighted sum over the points of a mix, host by host. Links and teams have no host of their own:
  /// their sums are added as if they varied with those of hosts.
  PopulationPoint mixed(const std::vector<SharedMetric>& metrics, const std::vector<double>& shares) const {
    std::vector<PopulationShift> parts;
    for (const std::string base : {"host", "link", "team", seed_level}) {
      const auto [a, b, weight] = sums_of(metrics, shares, base);
      if (weight > 0) parts.push_back(population_shift(a, b, base, request_.places));
    }
    if (parts.size() == 1) return judge_shift(parts.front(), request_.margin);
    return joined(parts);
  }

 private:
  struct Sums {
    std::map<std::string, double> a, b;
    double weight = 0;
  };

  static std::string base_of(const SharedMetric& metric) {
    if (metric.of_teams) return "team";
    return metric.level == "link" || metric.level == seed_level ? metric.level : "host";
  }

  static PopulationValues values_on(const PopulationSide& side, std::pair<std::size_t, std::size_t> place,
                                    const SharedMetric& metric) {
    PopulationValues values = population_values(side.fleets[place.first], place.second);
    const auto groups = side.groups.find(metric.metric.substr(0, metric.metric.find('.')));
    if (metric.of_teams && groups != side.groups.end())
      values.means = means_of_groups(values.means, groups->second);
    return values;
  }

  std::pair<PopulationValues, PopulationValues> values_of(const SharedMetric& metric) const {
    return {values_on(sides_.a, metric.in_a, metric), values_on(sides_.b, metric.in_b, metric)};
  }

  /// Sums over the points of the mix, of hosts that have every one.
  Sums sums_of(const std::vector<SharedMetric>& metrics, const std::vector<double>& shares,
               const std::string& base) const {
    Sums sums;
    for (std::size_t at = 0; at < metrics.size(); ++at) {
      if (shares[at] == 0 || base_of(metrics[at]) != base) continue;
      const auto [a, b] = values_of(metrics[at]);
      const bool first = sums.weight == 0;
      sums.weight += shares[at];
      add(a.means, shares[at], first, sums.a);
      add(b.means, shares[at], first, sums.b);
    }
    return sums;
  }

  static void add(const std::map<std::string, double>& means, double share, bool first,
                  std::map<std::string, double>& sums) {
    if (first)
      for (const auto& [host, mean] : means) sums[host] = 0;
    std::erase_if(sums, [&](const auto& one) { return !means.contains(one.first); });
    for (auto& [host, sum] : sums) sum += share * means.at(host);
  }

  static void add(const core::QuantileShift& part, core::QuantileShift& sum) {
    sum.quantile = std::min(sum.quantile, part.quantile);
    sum.shift += part.shift, sum.upper += part.upper;
    sum.lower = sum.lower && part.lower ? std::optional(*sum.lower + *part.lower) : std::nullopt;
  }

  /// Errors that may be of one cause are added, not their squares; likewise quantiles.
  PopulationPoint joined(const std::vector<PopulationShift>& parts) const {
    PopulationPoint point{.unit_level = "host, link or team", .metric = {}, .level = "host, link or team"};
    core::StudentisedShift sum{.degrees = 1e9};
    JudgedTail tail{.level = point.level, .shift = {.quantile = slow_quantile, .lower = 0}};
    for (const PopulationShift& part : parts) {
      point.values_of_a += std::ssize(part.a), point.values_of_b += std::ssize(part.b);
      if (!part.shift) return point;
      sum.shift += part.shift->shift, sum.lower += part.shift->lower, sum.upper += part.shift->upper;
      sum.error += part.shift->error;
      sum.degrees = std::min(sum.degrees, part.shift->degrees);
      add(part.tail->shift, tail.shift);
    }
    point.shift = sum, point.tail = tail;
    const double bound = std::log1p(request_.margin);
    if (sum.lower >= bound || sum.upper <= -bound) point.probability = population_alpha;
    if (tail.shift.lower && *tail.shift.lower >= bound) point.tail->probability = population_alpha;
    point.verdict = verdict_on(point, request_.margin);
    return point;
  }

  const PopulationSides& sides_;
  const PopulationRequest& request_;
};

/// A difference that is one of many, of shifts and tails, must stand among them.
void control_multiplicity(double margin, std::vector<PopulationPoint>& points) {
  std::vector<double*> tests;
  std::vector<double> probabilities;
  for (PopulationPoint& point : points) {
    tests.push_back(&point.probability);
    if (point.tail) tests.push_back(&point.tail->probability);
  }
  for (const double* one : tests) probabilities.push_back(*one);
  probabilities = holm(std::move(probabilities));
  for (std::size_t at = 0; at < tests.size(); ++at) *tests[at] = probabilities[at];
  for (PopulationPoint& point : points)
    if (point.shift) point.verdict = verdict_on(point, margin);
}

std::vector<std::string> hardware_in(const PopulationSide& side) {
  std::set<std::string> hardware;
  for (const MeasuredFleet& fleet : side.fleets)
    if (fleet.first.unit_level != "link")
      for (const FleetUnit& unit : fleet.first.units)
        hardware.insert((fleet.first.unit_level == seed_level ? "" : fleet.first.unit_level + " ") +
                        (unit.block.empty() ? "unknown" : unit.block));
  return {hardware.begin(), hardware.end()};
}

void add_mix(const Comparer& comparer, const PopulationMetrics& metrics, const PopulationRequest& request,
             PopulationComparison& comparison) {
  std::vector<std::string> names;
  for (const SharedMetric& metric : metrics.shared) names.push_back(metric.metric);
  comparison.mix = request.mix;
  comparison.mixed = comparer.mixed(metrics.shared, shares_of(*request.mix, names));
  comparison.mixed->metric = fmt::format("mix {}", request.mix->name);
}

}  // namespace

std::int64_t PopulationComparison::count(Equivalence verdict) const {
  return std::ranges::count(points, verdict, &PopulationPoint::verdict);
}

std::vector<double> holm(std::vector<double> probabilities) {
  std::vector<std::size_t> order(probabilities.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t at) { return probabilities[at]; });
  double before = 0;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    double& one = probabilities[order[rank]];
    before = one = std::min(1.0, std::max(before, one * static_cast<double>(order.size() - rank)));
  }
  return probabilities;
}

PopulationPoint judge_shift(const PopulationShift& values, double margin, double run_share, double runs) {
  PopulationPoint point{.unit_level = values.level,
                        .metric = {},
                        .level = values.level,
                        .values_of_a = std::ssize(values.a),
                        .values_of_b = std::ssize(values.b),
                        .shift = values.shift};
  if (!values.shift) return point;
  point.probability = probability_within(values, margin);
  point.tail = judge_tail(*values.tail, margin);
  point.verdict = verdict_on(point, margin);
  point.detectable = core::smallest_difference_shown(plan_of(values), margin, wanted_power);
  if (point.verdict == Equivalence::not_enough_data) plan_more(values, margin, run_share, runs, point);
  return point;
}

PopulationComparison compare_populations(const Store& a, const Store& b, const PopulationRequest& request) {
  if (!core::is_margin(request.margin))
    throw std::runtime_error(fmt::format("margin {}: {}", request.margin, core::margin_expectation));
  PopulationSides sides = population_sides(a, b, request.filter, request.places);
  PopulationMetrics metrics = population_metrics(sides);
  const bool imported = sides.a.fleets.front().origin == to_string(Origin::imported);
  if (metrics.shared.empty() && !(imported && metrics.any_of_other_settings))
    throw std::runtime_error(fmt::format(
        "{} and {} have no point in common{}", sides.a.name, sides.b.name,
        metrics.unshared.empty()
            ? ""
            : fmt::format(": {}: {}", metrics.unshared.front().metric, metrics.unshared.front().why)));
  const Comparer comparer(sides, request);
  PopulationComparison comparison{.a = sides.a.name, .b = sides.b.name, .margin = request.margin};
  for (const SharedMetric& metric : metrics.shared) comparison.points.push_back(comparer.point_of(metric));
  control_multiplicity(request.margin, comparison.points);
  if (request.mix) add_mix(comparer, metrics, request, comparison);
  comparison.unshared = std::move(metrics.unshared);
  comparison.hardware_of_a = hardware_in(sides.a);
  comparison.hardware_of_b = hardware_in(sides.b);
  comparison.origin = sides.a.fleets.front().origin;
  for (PopulationSide* side : {&sides.a, &sides.b})
    std::ranges::move(side->doubts, std::back_inserter(comparison.doubts));
  return comparison;
}

}  // namespace assay::results
