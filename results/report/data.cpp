// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/report/data.hpp"

#include <algorithm>
#include <cmath>

#include "results/points/gemm_efficiency.hpp"
#include "results/report/charts/chart_series.hpp"
#include "results/report/charts/copy.hpp"
#include "results/report/charts/crossover.hpp"
#include "results/report/charts/fabric.hpp"
#include "results/report/charts/interference.hpp"
#include "results/report/charts/matmul.hpp"
#include "results/report/charts/overlap.hpp"
#include "results/report/charts/pairs.hpp"
#include "results/show/facts.hpp"
#include "results/show/highlights.hpp"
#include "results/show/tables.hpp"

namespace assay::results {
namespace {

using Json = nlohmann::ordered_json;
using chart::number, chart::put, chart::Series;

constexpr std::size_t sample_charts = 8, samples_drawn = 1000;

Json gemm_point(const BlockEfficiency& block, const LayerEfficiency& layer, const std::string& series) {
  Json object{{"back_end", block.back_end},
              {"series", series},
              {"layer", layer.layer},
              {"tp", block.tensor_parallel}};
  if (const auto efficiency = layer.efficiency()) put(object, *efficiency, 100);
  const Number tflops = layer.tflops();
  object["tflops"] = number(tflops.value);
  return object;
}

Json gemm_chart(const RunPoints& run) {
  const auto blocks = block_efficiencies(run.rows("gemm.*.transformer"));
  std::vector<Fields> groups;
  for (const auto& block : blocks) groups.push_back(block.group);
  const Series series(groups, {});
  Json points = Json::array();
  for (const BlockEfficiency& block : blocks) {
    for (const LayerEfficiency& layer : block.layers)
      points.push_back(gemm_point(block, layer, series.name_of(block.group)));
    if (const auto whole = block.block())
      points.push_back(gemm_point(block, *whole, series.name_of(block.group)));
  }
  return {{"points", points}, {"same", series.same()}};
}

/// "copy", or where the kernel moves data in more than one manner "copy, tma".
std::string kernel_of(const StoredPoint& point) {
  const std::string mover = field_text(point.axes, {"mover"});
  return point.benchmark() + (mover.empty() ? "" : ", " + mover);
}

Json footprint_chart(const RunPoints& run, const std::string& cases, const std::string& metric) {
  auto chosen = run.rows(cases);
  std::erase_if(chosen, [&](const StoredPoint& point) { return point.metric != metric; });
  chosen = combine_repetitions(std::move(chosen));
  std::vector<Fields> axes;
  for (const auto& point : chosen) axes.push_back(point.axes);
  const Series series(axes, {"bytes", "footprint", "mover"});
  Json points = Json::array();
  for (const StoredPoint& point : chosen) {
    const auto bytes = field_integer(point.axes, {"bytes", "footprint"});
    if (!bytes) continue;
    Json object{{"back_end", point.back_end()},
                {"kernel", kernel_of(point)},
                {"series", series.name_of(point.axes)},
                {"bytes", *bytes}};
    put(object, point.headline);
    points.push_back(std::move(object));
  }
  return {{"points", points}, {"same", series.same()}};
}

/// Evenly thinned: a drift stays visible.
std::vector<double> thinned(const std::vector<double>& samples) {
  if (samples.size() <= samples_drawn) return samples;
  std::vector<double> some;
  for (std::size_t i = 0; i < samples_drawn; ++i) some.push_back(samples[i * samples.size() / samples_drawn]);
  return some;
}

Json sample_chart(const RunPoints& run, const Highlight& highlight) {
  const PointRecord& record = run.record(highlight.point);
  const auto samples = run.samples(highlight.point);
  Json values = Json::array();
  for (const double sample : thinned(samples)) values.push_back(number(sample));
  Json object{{"case", record.case_name},    {"point", record.key}, {"label", highlight.label},
              {"drifting", record.drifting}, {"stop", record.stop}, {"n", samples.size()},
              {"samples_s", values}};
  if (record.time) put(object, {record.time->value_s, record.time->lower_s, record.time->upper_s});
  return object;
}

/// The points behind the highlights: the last latency step of each ladder, the best kernels, the best dtypes,
/// copies, the fabric's bandwidth (its latency has a histogram).
Json sample_charts_of(const RunPoints& run) {
  const Highlights highlights = highlights_of(run);
  std::vector<Highlight> chosen;
  const auto take = [&](const std::vector<Highlight>& from, std::size_t count) {
    for (std::size_t i = 0; i < from.size() && i < count; ++i) chosen.push_back(from[i]);
  };
  take(highlights.bandwidth, 2);
  std::vector<Highlight> memory;
  for (const Highlight& step : highlights.latency)
    if (step.label == "memory") memory.push_back(step);
  take(memory, 2);
  take(highlights.gemm, 2);
  take(highlights.copies, 2);
  take(highlights.rdma_bandwidth, 2);
  Json charts = Json::array();
  for (const Highlight& highlight : chosen)
    if (charts.size() < sample_charts) charts.push_back(sample_chart(run, highlight));
  return charts;
}

}  // namespace

Json report_data(const RunPoints& run) {
  Json levels = Json::array();
  for (const CacheLevel& level : cache_levels(machine_of(run)))
    levels.push_back({{"back_end", level.back_end}, {"name", level.name}, {"bytes", level.bytes}});
  const auto fabric = fabric_points(run, "rdma.*");
  const auto contests = interference_points(run);
  const auto copied = copy_points(run);
  return {{"run_id", run.stored().run_id},
          {"origin", run.origin()},
          {"gemm", gemm_chart(run)},
          {"matmul", matmul_chart(matmul_points(run))},
          {"bandwidth", footprint_chart(run, "memory.*", "bandwidth_gb_per_s")},
          {"latency", footprint_chart(run, "memory.*.latency", "latency_ns")},
          {"cache_levels", levels},
          {"copies", copy_chart(copied)},
          {"copy_matrices", copy_matrices(copied)},
          {"peer_matrices", peer_matrices(copied)},
          {"rdma_bandwidth", rdma_bandwidth_chart(fabric)},
          {"rdma_latency", rdma_latency_chart(fabric)},
          {"rdma_times", rdma_time_charts(run)},
          {"rdma_pairs", pairs_charts(fabric)},
          {"crossover", crossover_chart(crossovers_of(contests_of(collective_points(run, "collectives.*"))))},
          {"pipeline", pipeline_chart(pipeline_points(run))},
          {"interference", interference_chart(contests)},
          {"slowdown", slowdown_chart(contests)},
          {"samples", sample_charts_of(run)}};
}

}  // namespace assay::results
