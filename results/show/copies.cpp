// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Copies between host and GPUs: a row a point, a column for each axis that varies.
#include "results/points/axis_columns.hpp"
#include "results/points/copy_points.hpp"
#include "results/show/tables.hpp"

namespace assay::results {
namespace {

using Kind = Column::Kind;

Cell percent_of_share(const std::optional<Number>& share) {
  if (!share) return {};
  const auto scaled = [](std::optional<double> value) { return value ? std::optional(100 * *value) : value; };
  return Number{100 * share->value, scaled(share->lower), scaled(share->upper)};
}

Cell metric(const CopyPoint& point, const std::string& name) {
  const auto known = point.metrics.find(name);
  return known == point.metrics.end() ? Cell() : Cell(known->second);
}

std::vector<Cell> row_of(const CopyPoint& one, const std::vector<Column>& axes) {
  std::vector<Cell> row{one.point.back_end(), one.point.benchmark()};
  for (const Column& axis : axes) row.push_back(axis_cell(one.point.axes, axis));
  row.insert(row.end(), {one.point.headline, percent_of_share(one.share_of_ceiling()),
                         metric(one, "alone_worst_gb_per_s"), metric(one, "worst_gb_per_s"),
                         one.path().empty() ? Cell() : Cell(one.path()), one.point.n});
  return row;
}

}  // namespace

Table show_copies(const RunPoints& run, const ShowOptions& options) {
  const auto points = options.filter.empty() ? copy_points(run) : copy_points(run, options.filter);
  Table table{.title = title_of("Host and GPU copies", run),
              .notes = {},
              .columns = {{"back end", "", Kind::word, true}, {"copy", "", Kind::word, true}},
              .rows = {}};
  std::vector<Fields> all;
  for (const CopyPoint& one : points) all.push_back(one.point.axes);
  auto axes = axis_columns(all);
  for (Column& axis : axes) axis.may_lack = true;  // a copy to a peer has no node, one of a GPU no peer
  table.columns.insert(table.columns.end(), axes.begin(), axes.end());
  table.columns.insert(table.columns.end(), {{"bandwidth", "GB/s", Kind::number},
                                             {"of link", "%", Kind::number, false, true},
                                             {"slowest alone", "GB/s", Kind::number, false, true},
                                             {"slowest together", "GB/s", Kind::number, false, true},
                                             {"path", "", Kind::word, true, true},
                                             {"n", "", Kind::count}});
  for (const CopyPoint& one : points) table.rows.push_back(row_of(one, axes));
  table.notes.emplace_back(
      "Both ways, and several GPUs, are counted together. Of link: of what its rate and coding leave, where "
      "the record "
      "tells it. Slowest: of several GPUs the one that took longest, each way.");
  apply_limit(table, options);
  return table;
}

}  // namespace assay::results
