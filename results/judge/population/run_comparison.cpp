// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/population/run_comparison.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "harness/core/statistics/margin.hpp"

namespace assay::results {
namespace {

using core::Equivalence;

/// One point on one side.
struct PointSide {
  const std::vector<RunValues>& runs;
  const std::vector<ComparedRun>& named;  // the runs' ids
  const std::vector<double>& places;      // of the runs' starts among those of both sides
};

bool is_bad(const RepetitionValue& value) {
  return value.is_wrong || (value.status != Status::ok && value.status != Status::unsupported);
}

/// "run r2, repetition 3: failed: no memory"; empty where none is bad.
std::string first_bad(const PointSide& side) {
  for (std::size_t at = 0; at < side.runs.size(); ++at)
    for (const auto& [repetition, value] : side.runs[at])
      if (is_bad(value))
        return fmt::format("run {}, repetition {}: {}", side.named[at].run.run_id, repetition,
                           value.counts() ? "" : *value.why_not);
  return "";
}

bool any_wrong(const PointSide& side) {
  return std::ranges::any_of(side.runs, [](const RunValues& run) {
    return std::ranges::any_of(run, [](const auto& one) { return one.second.is_wrong; });
  });
}

bool is_unsupported(const PointSide& side) {
  return std::ranges::all_of(side.runs, [](const RunValues& run) {
    return !run.empty() &&
           std::ranges::all_of(run, [](const auto& one) { return one.second.status == Status::unsupported; });
  });
}

std::set<std::int64_t> repetitions_of(const PointSide& a, const PointSide& b) {
  std::set<std::int64_t> repetitions;
  for (const PointSide& side : {a, b})
    for (const RunValues& run : side.runs)
      for (const auto& [repetition, value] : run) repetitions.insert(repetition);
  return repetitions;
}

/// Every repetition that any run has must be there, and count, in each.
void find_gaps(const PointSide& side, const std::set<std::int64_t>& repetitions,
               std::vector<std::string>& findings) {
  for (std::size_t at = 0; at < side.runs.size(); ++at) {
    const std::string& run_id = side.named[at].run.run_id;
    if (side.runs[at].empty()) {
      findings.push_back(fmt::format("run {} has no such point", run_id));
      continue;
    }
    std::vector<std::int64_t> absent;
    for (const std::int64_t repetition : repetitions) {
      const RepetitionValue* const found = side.runs[at].find(repetition);
      if (found == nullptr)
        absent.push_back(repetition);
      else if (!found->counts())
        findings.push_back(fmt::format("run {}, repetition {}: {}", run_id, repetition, *found->why_not));
    }
    if (!absent.empty())
      findings.push_back(fmt::format("run {} lacks {} of {} repetitions, the first is {}", run_id,
                                     absent.size(), repetitions.size(), absent.front()));
  }
}

/// The mean of ln(time) of each run of a side that has a value.
struct SideLogs {
  std::vector<double> means, places;
  double squares = 0, degrees = 0;  // of repetitions about the mean of their run
  std::int64_t fewest = 0;          // repetitions of a run
};

SideLogs logs_of(const PointSide& side) {
  SideLogs logs;
  for (std::size_t at = 0; at < side.runs.size(); ++at) {
    const RunValues& run = side.runs[at];
    double sum = 0, count = 0;
    for (const auto& [repetition, value] : run)
      if (value.counts()) sum += std::log(value.time_s), ++count;
    if (count == 0) continue;
    logs.means.push_back(sum / count);
    logs.places.push_back(side.places[at]);
    for (const auto& [repetition, value] : run)
      if (value.counts()) logs.squares += std::pow(std::log(value.time_s) - sum / count, 2);
    logs.degrees += count - 1;
    const auto repetitions = static_cast<std::int64_t>(count);
    logs.fewest = logs.means.size() == 1 ? repetitions : std::min(logs.fewest, repetitions);
  }
  return logs;
}

double middle_us(const std::vector<double>& log_means) {
  double sum = 0;
  for (const double mean : log_means) sum += mean;
  return std::exp(sum / static_cast<double>(log_means.size())) * 1e6;
}

/// Runs that would decide. With a single run on a side, how starts differ is unknown: they are taken to
/// differ as repetitions do.
std::optional<std::int64_t> needed_runs(const ComparedPoint& point, double margin) {
  if (point.times.verdict != Equivalence::not_enough_data || point.times.drift_could_hide)
    return std::nullopt;
  const auto needed = core::runs_needed(
      std::log(point.times.ratio), point.times.deviation.value_or(point.within_a_run.value_or(0)), margin);
  if (!needed) return std::nullopt;
  return std::max(*needed, std::min(point.times.runs_of_a, point.times.runs_of_b) + 1);  // these did not do
}

/// Nothing where a side has no repetition that counts.
std::optional<ComparedPoint> compare(const PointSide& a, const PointSide& b, double margin) {
  const SideLogs of_a = logs_of(a), of_b = logs_of(b);
  if (of_a.means.empty() || of_b.means.empty()) return std::nullopt;
  ComparedPoint point;
  point.a_us = middle_us(of_a.means);
  point.b_us = middle_us(of_b.means);
  point.repetitions = std::min(of_a.fewest, of_b.fewest);
  point.times = core::judge_equivalence(of_a.means, of_b.means, margin, {of_a.places, of_b.places});
  if (const double degrees = of_a.degrees + of_b.degrees; degrees > 0)
    point.within_a_run = std::sqrt((of_a.squares + of_b.squares) / degrees);
  point.runs_needed = needed_runs(point, margin);
  const std::set<std::int64_t> repetitions = repetitions_of(a, b);
  find_gaps(a, repetitions, point.findings);
  find_gaps(b, repetitions, point.findings);
  if (const std::string bad = first_bad(b); !bad.empty() && (any_wrong(b) || first_bad(a).empty()))
    point.not_ok_in_b = bad;
  if (!point.findings.empty()) point.times.verdict = Equivalence::not_enough_data;
  return point;
}

std::string why_nothing(const PointSide& side) {
  for (std::size_t at = 0; at < side.runs.size(); ++at)
    for (const auto& [repetition, value] : side.runs[at])
      if (!value.counts()) return *value.why_not;
  return "measured";
}

/// A point that both sides have, and one of them without a value.
UncomparedPoint uncompared(const PointName& name, const PointSide& a, const PointSide& b) {
  UncomparedPoint point{.case_name = name.first, .key = name.second, .why = {}};
  point.excused = is_unsupported(a) && is_unsupported(b);
  if (!first_bad(b).empty() && (any_wrong(b) || first_bad(a).empty())) point.verdict = Verdict::fail;
  const std::string of_a = why_nothing(a), of_b = why_nothing(b);
  point.why = of_a == of_b ? of_a + " on both sides" : fmt::format("baseline: {}; candidate: {}", of_a, of_b);
  return point;
}

/// The place of each run of a side among the starts of both; runs that started together share one.
std::vector<double> places_of(const std::vector<ComparedRun>& side, const ComparedSides& sides) {
  std::set<std::string> starts;
  for (const auto* const one : {&sides.a, &sides.b})
    for (const ComparedRun& run : *one) starts.insert(run.run.started);
  std::vector<double> places;
  for (const ComparedRun& run : side)
    places.push_back(static_cast<double>(std::distance(starts.begin(), starts.find(run.run.started))));
  return places;
}

void compare_points(const ComparedSides& sides, const SideValues& values, RunComparison& comparison) {
  const std::vector<double> places_of_a = places_of(sides.a, sides), places_of_b = places_of(sides.b, sides);
  for (const auto& [name, runs] : values.a) {
    const auto found = values.b.find(name);
    if (found == values.b.end()) {
      ++comparison.only_in_a;
      comparison.uncompared.push_back({name.first, name.second, "only the baseline has it"});
      continue;
    }
    const PointSide a{runs, sides.a, places_of_a}, b{found->second, sides.b, places_of_b};
    auto point = compare(a, b, comparison.margin);
    if (!point) {
      ++comparison.not_compared;
      comparison.uncompared.push_back(uncompared(name, a, b));
      continue;
    }
    std::tie(point->case_name, point->key) = name;
    comparison.points.push_back(std::move(*point));
  }
  for (const auto& [name, runs] : values.b)
    if (!values.a.contains(name)) {
      ++comparison.only_in_b;
      comparison.uncompared.push_back({name.first, name.second, "only the candidate has it"});
    }
}

bool one_after_the_other(const ComparedSides& sides) {
  if (sides.a.size() < 2 || sides.b.size() < 2) return false;
  return sides.a.back().run.started < sides.b.front().run.started ||
         sides.b.back().run.started < sides.a.front().run.started;
}

std::vector<std::string> ids_of(const std::vector<ComparedRun>& runs) {
  std::vector<std::string> ids;
  for (const ComparedRun& one : runs) ids.push_back(one.run.run_id);
  return ids;
}

/// "r1", "r1, r2, r3", "r1 and 4 more"
std::string label_of(const std::vector<std::string>& ids) {
  if (ids.size() > 3) return fmt::format("{} and {} more", ids.front(), ids.size() - 1);
  return fmt::format("{}", fmt::join(ids, ", "));
}

}  // namespace

std::int64_t RunComparison::count(Equivalence verdict) const {
  return std::ranges::count(points, verdict, [](const ComparedPoint& point) { return point.times.verdict; });
}

RunComparison compare_runs(const Store& of_a, const Store& of_b, const ComparisonRequest& request) {
  if (!core::is_margin(request.margin))
    throw std::runtime_error(fmt::format("margin {}: {}", request.margin, core::margin_expectation));
  const ComparedSides sides = compared_sides(of_a, of_b, request);
  const SideValues values = values_of(sides, request.filter);
  RunComparison comparison{.ids_of_a = ids_of(sides.a),
                           .ids_of_b = ids_of(sides.b),
                           .margin = request.margin,
                           .one_after_the_other = one_after_the_other(sides),
                           .origin = origin_of(of_a, sides.a.front().run)};
  comparison.a = label_of(comparison.ids_of_a);
  comparison.b = label_of(comparison.ids_of_b);
  compare_points(sides, values, comparison);
  const auto both = std::ssize(comparison.points) + comparison.not_compared;
  if (both == 0)
    throw std::runtime_error(
        fmt::format("runs {} and {} have no point in common", comparison.a, comparison.b));
  return comparison;
}

}  // namespace assay::results
