// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Transports side by side, message size by message size: bandwidth and what it costs the CPUs, and latency,
// each against TCP's.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "harness/core/names.hpp"
#include "results/points/kinds/transport_points.hpp"
#include "results/show/axes_table.hpp"
#include "results/show/tables.hpp"

namespace assay::results {
namespace {

using Kind = Column::Kind;

/// The fastest of TCP's points that are about the same, by what is the same.
using FastestTcp = std::map<decltype(std::declval<TransportPoint>().compared_by()), const TransportPoint*>;

FastestTcp fastest_tcp(const std::vector<TransportPoint>& all) {
  FastestTcp fastest;
  for (const TransportPoint& one : all) {
    if (!one.is_tcp()) continue;
    const TransportPoint*& known = fastest[one.compared_by()];
    if (known == nullptr || one.point.time_s < known->point.time_s) known = &one;
  }
  return fastest;
}

/// Nothing where either is unknown, or the divisor 0.
Cell ratio_cell(const std::optional<double>& value, const std::optional<double>& over) {
  return value && over && *over > 0 ? number_cell(*value / *over) : Cell();
}

std::vector<Cell> cells_of(const TransportPoint& one, const FastestTcp& fastest) {
  const auto like = fastest.find(one.compared_by());
  const TransportPoint* const tcp = like == fastest.end() ? nullptr : like->second;
  const std::optional<double> cpu = one.metric(core::names::cpu_s_per_gb), rate = one.gb_per_s();
  return {rate ? Cell(one.point.headline) : Cell(),
          one.is_latency() ? Cell(one.point.headline) : Cell(),
          one.is_latency() ? number_cell(one.p99_us()) : Cell(),
          number_cell(cpu),
          number_cell(cpu && rate ? std::optional(*cpu * *rate) : std::nullopt),
          tcp == nullptr ? Cell() : ratio_cell(tcp->point.time_s, one.point.time_s),
          tcp == nullptr ? Cell() : ratio_cell(cpu, tcp->metric(core::names::cpu_s_per_gb))};
}

}  // namespace

Table show_transports(const RunPoints& run, const ShowOptions& options) {
  const std::vector<TransportPoint> points = transport_points(run, options.filter);
  std::vector<Column> axes = axis_columns(axes_of(points));
  for (Column& axis : axes) axis.may_lack = true;
  AxesTable shown(title_of("Transports", run), {{"benchmark", "", Kind::word}, {"transport", "", Kind::word}},
                  axes,
                  {{"bandwidth", "GB/s", Kind::number, false, true},
                   {"median", "us", Kind::number, false, true},
                   {"p99", "us", Kind::number, false, true},
                   {"CPU", "s/GB", Kind::number, false, true},
                   {"CPUs busy", "", Kind::number, false, true},
                   {"times as fast as TCP", "", Kind::number, false, true},
                   {"times TCP's CPU", "", Kind::number, false, true}});
  const FastestTcp fastest = fastest_tcp(points);
  for (const TransportPoint& one : points)
    shown.add({one.point.benchmark(), one.point.back_end()}, one.point.axes, cells_of(one, fastest));
  shown.table.notes.emplace_back(
      "CPU: user and system time of the processes at both ends; of what the kernel does in interrupts and "
      "threads of its own nothing is in it. Against TCP: the fastest TCP point of the same benchmark, "
      "message "
      "size and way to notice completions.");
  return shown.table;
}

}  // namespace assay::results
