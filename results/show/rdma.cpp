// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Bandwidth and latency of the fabric: a row a point, a column for each axis that varies, the class of the
// link.
#include <algorithm>
#include <cmath>

#include "harness/core/names.hpp"
#include "results/points/axis_columns.hpp"
#include "results/points/fabric_points.hpp"
#include "results/show/tables.hpp"

namespace assay::results {
namespace {

using Kind = Column::Kind;

const char* const how_joined =
    "Repetitions are joined: median of their values, union of their intervals, all samples, the highest "
    "tail, the "
    "worst class.";

Cell cell_of(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? Cell(Number{*value}) : Cell();
}

std::vector<Cell> begin_row(const FabricPoint& point, const std::vector<Column>& axes,
                            const std::string& benchmark) {
  std::vector<Cell> row{point.point.back_end(), benchmark};
  for (const Column& axis : axes) row.push_back(axis_cell(point.point.axes, axis));
  return row;
}

void end_row(std::vector<Cell>& row, const FabricPoint& point) {
  row.emplace_back(std::string(to_string(point.link.link_class)));
  row.emplace_back(point.link.why);
}

Table table_of(const std::string& title, const std::vector<Column>& axes, const std::vector<Column>& values) {
  Table table{.title = title,
              .notes = {},
              .columns = {{"back end", "", Kind::word, true}, {"benchmark", "", Kind::word, true}},
              .rows = {}};
  table.columns.insert(table.columns.end(), axes.begin(), axes.end());
  table.columns.insert(table.columns.end(), values.begin(), values.end());
  table.columns.insert(table.columns.end(), {{"class", "", Kind::word, true}, {"why", "", Kind::text, true}});
  return table;
}

void finish(Table& table, const std::vector<FabricPoint>& points, const ShowOptions& options) {
  if (const std::string text = unclean_text(points); !text.empty())
    table.notes.push_back(text + ". The gravest, " + gravest_text(points) + ".");
  if (std::ranges::any_of(points, [](const FabricPoint& point) { return point.repetitions > 1; }))
    table.notes.emplace_back(how_joined);
  apply_limit(table, options);
}

struct Latency {
  std::string benchmark;
  Number median_us;
  std::optional<double> p99_us, p999_us, max_us, cold_first_us;
  std::int64_t n = 0;
};

std::optional<double> microseconds(const std::optional<double>& seconds) {
  return seconds ? std::optional(1e6 * *seconds) : std::nullopt;
}

Latency latency_of(const FabricPoint& point) {
  return {.benchmark = point.point.benchmark(),
          .median_us = point.point.headline,
          .p99_us = microseconds(point.tail.p99_s),
          .p999_us = microseconds(point.tail.p999_s),
          .max_us = microseconds(point.tail.max_s),
          .cold_first_us = microseconds(point.tail.cold_first_s > 0 ? std::optional(point.tail.cold_first_s)
                                                                    : std::nullopt),
          .n = point.point.n};
}

/// Of the host that sends little to the receiver of an incast.
Latency victim_of(const FabricPoint& point) {
  return {.benchmark = point.point.benchmark() + " victim",
          .median_us = {point.metric(core::names::victim_latency_us).value_or(NAN)},
          .p99_us = point.metric(core::names::victim_p99_latency_us),
          .p999_us = std::nullopt,
          .max_us = point.metric(core::names::victim_max_latency_us),
          .cold_first_us = std::nullopt,
          .n = std::llround(point.metric(core::names::victim_messages).value_or(0))};
}

std::vector<Cell> row_of(const FabricPoint& point, const Latency& latency, const std::vector<Column>& axes) {
  auto row = begin_row(point, axes, latency.benchmark);
  row.emplace_back(latency.median_us);
  for (const auto& time_us : {latency.p99_us, latency.p999_us, latency.max_us, latency.cold_first_us})
    row.push_back(cell_of(time_us));
  row.emplace_back(latency.n);
  end_row(row, point);
  return row;
}

}  // namespace

Table show_rdma(const RunPoints& run, const ShowOptions& options) {
  auto points = fabric_points(run, options.filter.empty() ? "rdma.*" : options.filter);
  std::erase_if(points, [](const FabricPoint& point) { return point.is_latency(); });
  const auto axes = fabric_axis_columns(points);
  Table table = table_of(title_of("RDMA bandwidth", run), axes,
                         {{"bandwidth", "GB/s", Kind::number},
                          {"messages", "M/s", Kind::number},
                          {"port", "Gb/s", Kind::number},
                          {"of ceiling", "%", Kind::number},
                          {"n", "", Kind::count}});
  for (const FabricPoint& point : points) {
    auto row = begin_row(point, axes, point.point.benchmark());
    const bool is_rate = point.point.metric == core::names::message_rate_m_per_s;
    row.emplace_back(point.bandwidth_gb_per_s());
    row.push_back(is_rate ? Cell(point.point.headline)
                          : cell_of(point.metric(core::names::message_rate_m_per_s)));
    row.push_back(cell_of(point.metric(core::names::port_gbit_per_s)));
    row.push_back(cell_of(point.metric(core::names::percent_of_ceiling)));
    row.emplace_back(point.point.n);
    end_row(row, point);
    table.rows.push_back(std::move(row));
  }
  table.notes.emplace_back(
      "Bandwidth: payload of all flows at the pace of the slowest. Port: payload through the busiest "
      "direction of any "
      "port; the ceiling is what its rate, MTU and headers leave for payload (\"-\": the device's rate says "
      "nothing "
      "about its speed).");
  finish(table, points, options);
  return table;
}

Table show_rdma_latency(const RunPoints& run, const ShowOptions& options) {
  auto points = fabric_points(run, options.filter.empty() ? "rdma.*" : options.filter);
  std::erase_if(points, [](const FabricPoint& point) {
    return !point.is_latency() && !point.metric(core::names::victim_latency_us);
  });
  const auto axes = fabric_axis_columns(points);
  Table table = table_of(title_of("RDMA latency", run), axes,
                         {{"median", "us", Kind::number},
                          {"p99", "us", Kind::number},
                          {"p99.9", "us", Kind::number},
                          {"maximum", "us", Kind::number},
                          {"cold first", "us", Kind::number},
                          {"n", "", Kind::count}});
  bool victims = false, medians = true;
  for (const FabricPoint& point : points) {
    table.rows.push_back(row_of(point, point.is_latency() ? latency_of(point) : victim_of(point), axes));
    victims = victims || !point.is_latency();
    medians = medians && point.quantile == 0.5;
  }
  table.notes.emplace_back("\"-\": too few samples for this percentile, or not measured.");
  if (victims)
    table.notes.emplace_back(
        "A victim's messages are its own small ones; the axes of its row are those of the load around it.");
  if (!medians)
    table.notes.emplace_back("The plan asked for another quantile than the median: see the records.");
  finish(table, points, options);
  return table;
}

}  // namespace assay::results
