// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Collectives: a row a point with its bandwidths and who was late; and which algorithm wins at which size.
#include <algorithm>

#include "harness/core/names.hpp"
#include "results/points/kinds/crossovers.hpp"
#include "results/show/axes_table.hpp"
#include "results/show/tables.hpp"

namespace assay::results {
namespace {

using Kind = Column::Kind;

std::vector<CollectivePoint> points_shown(const RunPoints& run, const ShowOptions& options) {
  return collective_points(run, options.filter.empty() ? "collectives.*" : options.filter);
}

std::vector<Column> columns_of(const std::vector<Fields>& points) {
  std::vector<Column> axes = axis_columns(points);
  for (Column& axis : axes) {
    axis.may_lack = axis.name != "bytes";
    if (axis.name == "algorithm") axis.kind = Kind::word;
  }
  return axes;
}

std::vector<Cell> cells_of(const CollectivePoint& point) {
  const auto& p99_s = point.tail.p99_s;
  return {point.time_us(),
          number_cell(p99_s ? std::optional(1e6 * *p99_s) : std::nullopt),
          number_cell(point.metric(core::names::algbw_gb_per_s)),
          number_cell(point.metric(core::names::busbw_gb_per_s)),
          number_cell(point.metric(core::names::arrival_skew_us)),
          point.latest_rank() ? Cell(*point.latest_rank()) : Cell(),
          number_cell(point.latest_rank_share()),
          number_cell(point.seen_over_implied()),
          point.point.n};
}

}  // namespace

Table show_collectives(const RunPoints& run, const ShowOptions& options) {
  const auto points = points_shown(run, options);
  AxesTable shown(
      title_of("Collectives", run),
      {{"back end", "", Kind::word, true}, {"operation", "", Kind::word}, {"ranks", "", Kind::count, true}},
      columns_of(axes_of(points)),
      {{"time", "us", Kind::number},
       {"p99", "us", Kind::number, false, true},
       {"algbw", "GB/s", Kind::number, false, true},
       {"busbw", "GB/s", Kind::number, false, true},
       {"skew", "us", Kind::number, false, true},
       {"last rank", "", Kind::count, false, true},
       {"its share", "", Kind::number, false, true},
       {"seen/implied", "", Kind::number, false, true},
       {"n", "", Kind::count}});
  for (const CollectivePoint& point : points)
    shown.add({point.point.back_end(), point.operation(), point.ranks()}, point.point.axes, cells_of(point));
  Table& table = shown.table;
  table.notes.emplace_back(
      "Time: per iteration the slowest rank's, the median over iterations. Skew: median time between the "
      "first rank's and the last rank's beginning; last rank: who began last most often, in which share of "
      "the iterations. busbw is a wire rate only for an algorithm that is "
      "optimal on a flat network. Seen/implied: bytes that the interfaces of all hosts sent over those "
      "that the algorithm sends.");
  if (std::ranges::any_of(points, &CollectivePoint::not_a_performance_measurement))
    table.notes.emplace_back(
        "Some records say that they are not a performance measurement: see the records.");
  return table;
}

Table show_crossover(const RunPoints& run, const ShowOptions& options) {
  const auto contests = contests_of(points_shown(run, options));
  AxesTable shown(title_of("Which algorithm wins", run),
                  {{"operation", "", Kind::word}, {"ranks", "", Kind::count, true}},
                  columns_of(axes_of(contests)),
                  {{"winner", "", Kind::word},
                   {"time", "us", Kind::number},
                   {"next", "", Kind::word},
                   {"next's time", "us", Kind::number},
                   {"decided", "", Kind::word},
                   {"library's time", "us", Kind::number, false, true},
                   {"regret", "x", Kind::number, false, true}});
  for (const Contest& contest : contests) {
    const CollectivePoint* library = contest.library();
    const auto regret = contest.regret();
    shown.add({contest.operation, contest.ranks}, contest.axes,
              {contest.winner().contender(), contest.winner().time_us(), contest.fields[1].contender(),
               contest.fields[1].time_us(), std::string(contest.decided() ? "yes" : "no"),
               library == nullptr ? Cell() : Cell(library->time_us()), regret ? Cell(*regret) : Cell()});
  }
  Table& table = shown.table;
  for (const Crossover& one : crossovers_of(contests)) table.notes.push_back(to_text(one) + ".");
  table.notes.emplace_back(
      "Regret: the time of what the library chose over the best one's (1: it chose best). Decided: the "
      "intervals of the first two do not meet. Only what ran with the same size, type, place and groups is "
      "compared.");
  return table;
}

}  // namespace assay::results
