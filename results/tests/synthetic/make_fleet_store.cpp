// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Writes a synthetic fleet into a store, a run a host, samples and all, for timing `assay accept`:
// make_fleet_store FILE [NODES] [METRICS] [SEED] [HOST-PREFIX] [GPUS]. Every context says "simulated".
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <exception>

#include "results/store/sqlite/database.hpp"
#include "results/store/store.hpp"
#include "results/store/store_insert.hpp"
#include "results/tests/synthetic/synthetic_fleet.hpp"

namespace assay::results {
namespace {

constexpr int samples = 20;

ContextRecord context_of(const std::string& host, int gpus) {
  ContextRecord context;
  context.run_id = "run-" + host;
  context.module = "gemm";
  context.started = "2026-01-02T03:04:05.000Z";
  context.host = host;
  context.origin = Origin::simulated;
  context.machine = {{"cpu", {{"model", "made up"}}}, {"gpus", nlohmann::ordered_json::array()}};
  for (int gpu = 0; gpu < gpus; ++gpu) context.machine["gpus"].push_back({{"name", "H100 SXM"}});
  return context;
}

PointRecord point_of(const std::string& host, int gpu, const FleetMetric& metric, double value,
                     std::int64_t sequence) {
  const double seconds = metric.larger_is_better ? 1 / value : value;
  PointRecord point;
  point.run_id = "run-" + host;
  point.sequence = sequence;
  point.module = metric.group;
  point.case_name = metric.name;
  point.point = {{"gpu", std::int64_t{gpu}}};
  point.key = fmt::format("gpu={}", gpu);
  point.started = "2026-01-02T03:04:05.000Z";
  TimeSummary& time = point.time.emplace();
  time.value_s = seconds;
  time.lower_s = 0.99 * seconds;
  time.upper_s = 1.01 * seconds;
  time.bounded = true;
  time.n = samples;
  point.metrics = {{"time_s", "s", seconds, {}, {}}};
  point.samples_s.assign(samples, seconds);
  return point;
}

void fill(Database& database, const SyntheticFleet& made, int nodes, int gpus, const std::string& prefix) {
  const Fleet& fleet = made.fleet();
  Transaction transaction(database);
  Inserter inserter(database);
  std::size_t unit = 0;
  for (int node = 0; node < nodes; ++node) {
    const std::string host = fmt::format("{}{}", prefix, node);
    inserter.insert(context_of(host, gpus));
    std::int64_t sequence = 0;
    for (int gpu = 0; gpu < gpus; ++gpu, ++unit)
      for (std::size_t metric = 0; metric < fleet.metrics.size(); ++metric) {
        const double value = fleet.at(metric, unit);
        inserter.insert(point_of(host, gpu, fleet.metrics[metric], value, sequence++));
      }
    inserter.insert(EndRecord{
        .run_id = "run-" + host, .module = "gemm", .ended = "2026-01-02T03:05:05.000Z", .points = sequence});
  }
  inserter.finish();
  transaction.commit();
}

}  // namespace
}  // namespace assay::results

int main(int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') {
    std::fprintf(stderr, "usage: make_fleet_store FILE [NODES] [METRICS] [SEED] [HOST-PREFIX] [GPUS]\n");
    return 2;
  }
  try {
    assay::results::FleetShape shape;
    if (argc > 2) shape.nodes = std::atoi(argv[2]);
    if (argc > 3) shape.metrics = std::atoi(argv[3]);
    if (argc > 6) shape.gpus_per_node = std::atoi(argv[6]);
    const assay::results::SyntheticFleet fleet(shape, argc > 4 ? std::strtoull(argv[4], nullptr, 10) : 1);
    const assay::results::Store store(argv[1]);
    assay::results::Database database(argv[1], false);
    assay::results::fill(database, fleet, shape.nodes, shape.gpus_per_node, argc > 5 ? argv[5] : "node");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "make_fleet_store: %s\n", error.what());
    return 1;
  }
  return 0;
}
