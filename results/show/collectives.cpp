// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Collectives: a row a point with its bandwidths and who was late; and which algorithm wins at which size.
#include <algorithm>
#include <cmath>

#include "results/points/axis_columns.hpp"
#include "results/points/crossovers.hpp"
#include "results/show/tables.hpp"

namespace assay::results {
namespace {

using Kind = Column::Kind;

std::vector<CollectivePoint> points_shown(const RunPoints& run, const ShowOptions& options) {
  return collective_points(run, options.filter.empty() ? "collectives.*" : options.filter);
}

Cell metric_of(const CollectivePoint& point, const std::string& name) {
  const auto value = point.metric(name);
  return value ? Cell(Number{*value}) : Cell();
}

Table begin_table(const std::string& title, const std::vector<Column>& axes,
                  const std::vector<Column>& before, const std::vector<Column>& after) {
  Table table{.title = title, .notes = {}, .columns = before, .rows = {}};
  table.columns.insert(table.columns.end(), axes.begin(), axes.end());
  table.columns.insert(table.columns.end(), after.begin(), after.end());
  return table;
}

std::vector<Column> axes_of(const std::vector<Fields>& points) {
  std::vector<Column> axes = axis_columns(points);
  for (Column& axis : axes) {
    axis.may_lack = axis.name != "bytes";
    if (axis.name == "algorithm") axis.kind = Kind::word;
  }
  return axes;
}

std::vector<Cell> row_of(const CollectivePoint& point, const std::vector<Column>& axes) {
  std::vector<Cell> row{point.point.back_end(), point.operation(), point.ranks()};
  for (const Column& axis : axes) row.push_back(axis_cell(point.point.axes, axis));
  row.emplace_back(point.time_us());
  row.push_back(point.tail.p99_s ? Cell(Number{1e6 * *point.tail.p99_s}) : Cell());
  for (const char* name : {"algbw_gb_per_s", "busbw_gb_per_s", "arrival_skew_us"})
    row.push_back(metric_of(point, name));
  const auto wires = point.seen_over_implied();
  row.push_back(wires ? Cell(Number{*wires}) : Cell());
  row.emplace_back(point.point.n);
  return row;
}

}  // namespace

Table show_collectives(const RunPoints& run, const ShowOptions& options) {
  const auto points = points_shown(run, options);
  std::vector<Fields> fields;
  for (const CollectivePoint& point : points) fields.push_back(point.point.axes);
  const auto axes = axes_of(fields);
  Table table = begin_table(
      title_of("Collectives", run), axes,
      {{"back end", "", Kind::word, true}, {"operation", "", Kind::word}, {"ranks", "", Kind::count, true}},
      {{"time", "us", Kind::number},
       {"p99", "us", Kind::number, false, true},
       {"algbw", "GB/s", Kind::number, false, true},
       {"busbw", "GB/s", Kind::number, false, true},
       {"skew", "us", Kind::number, false, true},
       {"seen/implied", "", Kind::number, false, true},
       {"n", "", Kind::count}});
  for (const CollectivePoint& point : points) table.rows.push_back(row_of(point, axes));
  table.notes.emplace_back(
      "Time: per iteration the slowest rank's, the median over iterations. Skew: median time between the "
      "first "
      "rank's and the last rank's beginning. busbw is a wire rate only for an algorithm that is optimal on a "
      "flat "
      "network. Seen/implied: bytes that the interfaces of all hosts sent over those that the algorithm "
      "sends.");
  if (std::ranges::any_of(points, &CollectivePoint::not_a_performance_measurement))
    table.notes.emplace_back(
        "Some records say that they are not a performance measurement: see the records.");
  apply_limit(table, options);
  return table;
}

Table show_crossover(const RunPoints& run, const ShowOptions& options) {
  const auto contests = contests_of(points_shown(run, options));
  std::vector<Fields> fields;
  for (const Contest& contest : contests) fields.push_back(contest.axes);
  const auto axes = axes_of(fields);
  Table table = begin_table(title_of("Which algorithm wins", run), axes,
                            {{"operation", "", Kind::word}, {"ranks", "", Kind::count, true}},
                            {{"winner", "", Kind::word},
                             {"time", "us", Kind::number},
                             {"next", "", Kind::word},
                             {"next's time", "us", Kind::number},
                             {"decided", "", Kind::word},
                             {"library's time", "us", Kind::number, false, true},
                             {"regret", "x", Kind::number, false, true}});
  for (const Contest& contest : contests) {
    std::vector<Cell> row{contest.operation, contest.ranks};
    for (const Column& axis : axes) row.push_back(axis_cell(contest.axes, axis));
    const CollectivePoint* library = contest.library();
    const auto regret = contest.regret();
    row.insert(row.end(),
               {contest.winner().contender(), contest.winner().time_us(), contest.fields[1].contender(),
                contest.fields[1].time_us(), std::string(contest.decided() ? "yes" : "no"),
                library == nullptr ? Cell() : Cell(library->time_us()), regret ? Cell(*regret) : Cell()});
    table.rows.push_back(std::move(row));
  }
  for (const Crossover& one : crossovers_of(contests)) table.notes.push_back(to_text(one) + ".");
  table.notes.emplace_back(
      "Regret: the time of what the library chose over the best one's (1: it chose best). Decided: the "
      "intervals "
      "of the first two do not meet. Only what ran with the same size, type, place and groups is compared.");
  apply_limit(table, options);
  return table;
}

}  // namespace assay::results
