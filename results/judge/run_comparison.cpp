// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/run_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "harness/core/statistics.hpp"
#include "results/judge/run_definitions.hpp"
#include "results/stored_points.hpp"

namespace assay::results {
namespace {

using core::Equivalence;

constexpr auto unlimited = std::numeric_limits<std::int64_t>::max();

using Name = std::pair<std::string, std::string>;  // case, key
using Repetitions = std::map<std::int64_t, StoredPoint>;
using Points = std::map<Name, Repetitions>;

Points by_name(std::vector<StoredPoint> all) {
  Points points;
  for (StoredPoint& point : all) points[{point.case_name, point.key}][point.repetition] = std::move(point);
  return points;
}

bool is_performance(const StoredPoint& point, const PointRecord& record) {
  return point.status == Status::ok && point.time_s > 0 &&
         field_text(record.conditions, {"not_a_performance_measurement"}).empty();
}

/// The first repetition that is not ok, or nothing.
const StoredPoint* not_ok(const Repetitions& repetitions) {
  const auto found = std::ranges::find_if(
      repetitions, [](const auto& repetition) { return repetition.second.status != Status::ok; });
  return found == repetitions.end() ? nullptr : &found->second;
}

std::string status_text(const StoredPoint* point) {
  if (point == nullptr) return "no performance measurement of the same repetition";
  return point->reason.empty() ? to_string(point->status) : to_string(point->status) + ": " + point->reason;
}

/// Of a point that both runs have, and that was not measured in both.
UncomparedPoint uncompared(const Name& name, const Repetitions& in_a, const Repetitions& in_b) {
  const StoredPoint *a = not_ok(in_a), *b = not_ok(in_b);
  UncomparedPoint point{.case_name = name.first, .key = name.second, .why = {}};
  point.excused =
      a != nullptr && b != nullptr && a->status == Status::unsupported && b->status == Status::unsupported;
  if (a == nullptr && b != nullptr && b->status != Status::unsupported) point.verdict = Verdict::fail;
  const std::string of_a = status_text(a), of_b = status_text(b);
  point.why = of_a == of_b ? of_a + " in both" : fmt::format("first run: {}; second run: {}", of_a, of_b);
  return point;
}

/// Nothing where no repetition was measured in both.
std::optional<ComparedPoint> compare(const Store& of_a, const Store& of_b, const Repetitions& in_a,
                                     const Repetitions& in_b, double margin) {
  std::vector<double> a_us, b_us, log_ratios;
  for (const auto& [repetition, a] : in_a) {
    const auto found = in_b.find(repetition);
    if (found == in_b.end()) continue;
    const StoredPoint& b = found->second;
    const PointRecord record_a = record_of(of_a, a.id), record_b = record_of(of_b, b.id);
    if (!is_performance(a, record_a) || !is_performance(b, record_b)) continue;
    refuse_other_definition(a, record_a, b, record_b);
    a_us.push_back(a.time_s * 1e6);
    b_us.push_back(b.time_s * 1e6);
    log_ratios.push_back(std::log(b.time_s / a.time_s));
  }
  if (log_ratios.empty()) return std::nullopt;
  ComparedPoint point;
  point.a_us = core::quantile_of(a_us, 0.5);
  point.b_us = core::quantile_of(b_us, 0.5);
  point.times = core::judge_equivalence(log_ratios, margin);
  if (const StoredPoint* bad = not_ok(in_b); bad != nullptr) {
    if (bad->status == Status::wrong || not_ok(in_a) == nullptr)
      point.not_ok_in_b = status_text(bad);
    else
      point.times.verdict = Equivalence::not_enough_data;  // neither run always measures it
  }
  if (point.times.verdict == Equivalence::not_enough_data)
    if (const auto needed = core::pairs_needed(log_ratios, margin))
      point.more_needed = std::max<std::int64_t>(1, *needed - point.times.pairs);
  return point;
}

void compare_points(const Store& of_a, const Store& of_b, const Points& in_a, const Points& in_b,
                    RunComparison& comparison) {
  for (const auto& [name, repetitions] : in_a) {
    const auto found = in_b.find(name);
    if (found == in_b.end()) {
      ++comparison.only_in_a;
      comparison.uncompared.push_back({name.first, name.second, "only the first run has it"});
      continue;
    }
    auto point = compare(of_a, of_b, repetitions, found->second, comparison.margin);
    if (!point) {
      ++comparison.not_compared;
      comparison.uncompared.push_back(uncompared(name, repetitions, found->second));
      continue;
    }
    std::tie(point->case_name, point->key) = name;
    comparison.points.push_back(std::move(*point));
  }
  for (const auto& [name, repetitions] : in_b)
    if (!in_a.contains(name)) {
      ++comparison.only_in_b;
      comparison.uncompared.push_back({.case_name = name.first,
                                       .key = name.second,
                                       .why = "only the second run has it",
                                       .excused = true});
    }
}

std::string verdict_text(const ComparedPoint& point) {
  if (!point.not_ok_in_b.empty()) return point.not_ok_in_b;
  switch (point.times.verdict) {
    case Equivalence::equivalent:
      return "equivalent";
    case Equivalence::higher:
      return "worse";
    case Equivalence::lower:
      return "better";
    case Equivalence::not_enough_data:
      break;
  }
  if (point.more_needed) return fmt::format("not enough data: {} more repetitions", *point.more_needed);
  return point.times.pairs < 2 ? "not enough data: repetitions of the point are needed"
                               : "not enough data: more repetitions may show either";
}

/// What needs a look comes first.
int urgency(const ComparedPoint& point) {
  if (!point.not_ok_in_b.empty()) return -1;
  constexpr std::array order{Equivalence::higher, Equivalence::not_enough_data, Equivalence::lower,
                             Equivalence::equivalent};
  return static_cast<int>(std::ranges::find(order, point.times.verdict) - order.begin());
}

}  // namespace

std::int64_t RunComparison::count(Equivalence verdict) const {
  return std::ranges::count(points, verdict, [](const ComparedPoint& point) { return point.times.verdict; });
}

RunComparison compare_runs(const Store& of_a, const Store& of_b, const ComparisonRequest& request) {
  const auto run_in = [](const Store& store, const std::string& id) {
    return find_run(store, id == "latest" ? std::nullopt : std::optional(id));
  };
  const StoredRun a = run_in(of_a, request.a), b = run_in(of_b, request.b);
  if (const std::string from_a = origin_of(of_a, a), from_b = origin_of(of_b, b); from_a != from_b)
    throw std::runtime_error(
        fmt::format("run {} is {} and run {} is {}: not the same thing", a.run_id, from_a, b.run_id, from_b));
  std::vector<StoredPoint> all_in_a = points_in_order(of_a, a, request.filter, unlimited),
                           all_in_b = points_in_order(of_b, b, request.filter, unlimited);
  refuse_other_sweeps(all_in_a, all_in_b);
  RunComparison comparison{
      .a = a.run_id, .b = b.run_id, .margin = request.margin, .points = {}, .uncompared = {}};
  compare_points(of_a, of_b, by_name(std::move(all_in_a)), by_name(std::move(all_in_b)), comparison);
  if (comparison.points.empty())
    throw std::runtime_error(
        fmt::format("runs {} and {} have no point that both measured", a.run_id, b.run_id));
  return comparison;
}

Table to_table(const RunComparison& comparison) {
  Table table{.title = fmt::format("{} against {}, margin {:g} %", comparison.b, comparison.a,
                                   comparison.margin * 100)};
  table.columns = {{.name = "case", .kind = Column::Kind::word, .folds = true},
                   {.name = "point"},
                   {.name = comparison.a, .unit = "us", .kind = Column::Kind::number},
                   {.name = comparison.b, .unit = "us", .kind = Column::Kind::number},
                   {.name = "time ratio", .kind = Column::Kind::number},
                   {.name = "repetitions", .kind = Column::Kind::count},
                   {.name = "smallest margin", .unit = "%", .kind = Column::Kind::number},
                   {.name = "verdict", .kind = Column::Kind::word}};
  std::vector<ComparedPoint> sorted = comparison.points;
  std::ranges::stable_sort(sorted, {}, urgency);
  for (const ComparedPoint& point : sorted) {
    const core::EquivalenceResult& times = point.times;
    table.rows.push_back({point.case_name, point.key, Number{point.a_us}, Number{point.b_us},
                          Number{times.ratio, times.lower, times.upper}, times.pairs,
                          times.smallest_margin ? Cell(Number{*times.smallest_margin * 100}) : Cell(),
                          verdict_text(point)});
  }
  table.notes.push_back(
      fmt::format("{} equivalent, {} better, {} worse, {} with not enough data. The ratio is the second "
                  "run's time over the "
                  "first's; its 90 % interval decides (two one-sided tests at 5 %).",
                  comparison.count(Equivalence::equivalent), comparison.count(Equivalence::lower),
                  comparison.count(Equivalence::higher), comparison.count(Equivalence::not_enough_data)));
  if (comparison.only_in_a + comparison.only_in_b + comparison.not_compared > 0)
    table.notes.push_back(fmt::format(
        "Not compared: {} points only in {}, {} only in {}, {} not measured in both.", comparison.only_in_a,
        comparison.a, comparison.only_in_b, comparison.b, comparison.not_compared));
  return table;
}

}  // namespace assay::results
