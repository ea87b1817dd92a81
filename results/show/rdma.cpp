// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Bandwidth and latency of the fabric: a row a point, a column for each axis that varies, the class of the
// link.
#include <algorithm>
#include <cmath>

#include "harness/core/names.hpp"
#include "results/points/kinds/fabric_points.hpp"
#include "results/show/axes_table.hpp"
#include "results/show/tables.hpp"

namespace assay::results {
namespace {

using Kind = Column::Kind;

const char* const how_joined =
    "Repetitions are joined: median of their values, union of their intervals, all samples, the highest "
    "tail, the worst class.";

AxesTable table_of(const std::string& title, const std::vector<FabricPoint>& points,
                   std::vector<Column> values) {
  values.insert(values.end(), {{"class", "", Kind::word, true}, {"why", "", Kind::text, true}});
  return {title,
          {{"back end", "", Kind::word, true}, {"benchmark", "", Kind::word, true}},
          fabric_axis_columns(points),
          values};
}

void add_row(AxesTable& shown, const FabricPoint& point, const std::string& benchmark,
             std::vector<Cell> values) {
  values.emplace_back(std::string(to_string(point.link.link_class)));
  values.emplace_back(point.link.why);
  shown.add({point.point.back_end(), benchmark}, point.point.axes, values);
}

void add_notes(Table& table, const std::vector<FabricPoint>& points) {
  if (const std::string text = unclean_text(points); !text.empty())
    table.notes.push_back(text + ". The worst, " + worst_text(points) + ".");
  if (std::ranges::any_of(points, [](const FabricPoint& point) { return point.point.repetitions > 1; }))
    table.notes.emplace_back(how_joined);
}

Cell microseconds(const std::optional<double>& seconds) {
  return number_cell(seconds ? std::optional(1e6 * *seconds) : std::nullopt);
}

void add_latency(AxesTable& shown, const FabricPoint& point) {
  const TailTimes& tail = point.tail;
  add_row(
      shown, point, point.point.benchmark(),
      {point.point.headline, microseconds(tail.p99_s), microseconds(tail.p999_s), microseconds(tail.max_s),
       tail.cold_first_s > 0 ? microseconds(tail.cold_first_s) : Cell(), point.point.n});
}

/// Adds the row of the host that sends little to the receiver of an incast.
void add_victim(AxesTable& shown, const FabricPoint& point) {
  const auto cell = [&](const char* metric) { return number_cell(point.metric(metric)); };
  add_row(shown, point, point.point.benchmark() + " victim",
          {cell(core::names::victim_latency_us), cell(core::names::victim_p99_latency_us), Cell(),
           cell(core::names::victim_max_latency_us), Cell(),
           std::int64_t{std::llround(point.metric(core::names::victim_messages).value_or(0))}});
}

}  // namespace

Table show_rdma(const RunPoints& run, const ShowOptions& options) {
  auto points = fabric_points(run, options.filter.empty() ? "rdma.*" : options.filter);
  std::erase_if(points, [](const FabricPoint& point) { return point.is_latency(); });
  AxesTable shown = table_of(title_of("RDMA bandwidth", run), points,
                             {{"bandwidth", "GB/s", Kind::number},
                              {"messages", "M/s", Kind::number},
                              {"port", "Gb/s", Kind::number},
                              {"of ceiling", "%", Kind::number},
                              {"n", "", Kind::count}});
  for (const FabricPoint& point : points) {
    const bool is_rate = point.point.metric == core::names::message_rate_m_per_s;
    const Cell rate =
        is_rate ? Cell(point.point.headline) : number_cell(point.metric(core::names::message_rate_m_per_s));
    add_row(shown, point, point.point.benchmark(),
            {point.bandwidth_gb_per_s(), rate, number_cell(point.metric(core::names::port_gbit_per_s)),
             number_cell(point.metric(core::names::percent_of_ceiling)), point.point.n});
  }
  shown.table.notes.emplace_back(
      "Bandwidth: payload of all flows at the pace of the slowest. Port: payload through the busiest "
      "direction of any port; the ceiling is what its rate, MTU and headers leave for payload (\"-\": the "
      "device's rate says nothing about its speed).");
  add_notes(shown.table, points);
  return shown.table;
}

Table show_rdma_latency(const RunPoints& run, const ShowOptions& options) {
  auto points = fabric_points(run, options.filter.empty() ? "rdma.*" : options.filter);
  std::erase_if(points, [](const FabricPoint& point) {
    return !point.is_latency() && !point.metric(core::names::victim_latency_us);
  });
  AxesTable shown = table_of(title_of("RDMA latency", run), points,
                             {{"median", "us", Kind::number},
                              {"p99", "us", Kind::number},
                              {"p99.9", "us", Kind::number},
                              {"maximum", "us", Kind::number},
                              {"cold first", "us", Kind::number},
                              {"n", "", Kind::count}});
  for (const FabricPoint& point : points) (point.is_latency() ? add_latency : add_victim)(shown, point);
  std::vector<std::string>& notes = shown.table.notes;
  notes.emplace_back("\"-\": too few samples for this percentile, or not measured.");
  if (!std::ranges::all_of(points, &FabricPoint::is_latency))
    notes.emplace_back(
        "A victim's messages are its own small ones; the axes of its row are those of the load around it.");
  if (std::ranges::any_of(points, [](const FabricPoint& point) { return point.quantile != 0.5; }))
    notes.emplace_back("The plan asked for another quantile than the median: see the records.");
  add_notes(shown.table, points);
  return shown.table;
}

}  // namespace assay::results
