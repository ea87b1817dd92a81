// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Copies between host and GPUs: a row a point, a column for each axis that varies.
#include "harness/core/names.hpp"
#include "results/points/kinds/copy_points.hpp"
#include "results/show/axes_table.hpp"
#include "results/show/tables.hpp"

namespace assay::results {
namespace {

using Kind = Column::Kind;

Cell metric(const CopyPoint& point, const std::string& name) {
  const auto known = point.metrics.find(name);
  return known == point.metrics.end() ? Cell() : Cell(known->second);
}

}  // namespace

Table show_copies(const RunPoints& run, const ShowOptions& options) {
  const auto points = options.filter.empty() ? copy_points(run) : copy_points(run, options.filter);
  auto axes = axis_columns(axes_of(points));
  for (Column& axis : axes) axis.may_lack = true;  // a copy to a peer has no node, one of a GPU no peer
  AxesTable shown(title_of("Host and GPU copies", run),
                  {{"back end", "", Kind::word, true}, {"copy", "", Kind::word, true}}, axes,
                  {{"bandwidth", "GB/s", Kind::number},
                   {"of link", "%", Kind::number, false, true},
                   {"slowest alone", "GB/s", Kind::number, false, true},
                   {"slowest together", "GB/s", Kind::number, false, true},
                   {"path", "", Kind::word, true, true},
                   {"n", "", Kind::count}});
  for (const CopyPoint& one : points)
    shown.add({one.point.back_end(), one.point.benchmark()}, one.point.axes,
              {one.point.headline, percent_cell(one.share_of_ceiling()),
               metric(one, core::names::alone_worst_gb_per_s), metric(one, core::names::worst_gb_per_s),
               one.path().empty() ? Cell() : Cell(one.path()), one.point.n});
  Table& table = shown.table;
  table.notes.emplace_back(
      "Both ways, and several GPUs, are counted together. Of link: of what its rate and coding leave, "
      "where the record has it. Slowest: of several GPUs the one that took longest, each way.");
  return table;
}

}  // namespace assay::results
