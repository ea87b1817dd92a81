// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/tests/fixed_simulation.hpp"

#include <utility>

#include "results/tests/run_builder.hpp"

namespace assay::results::test {
namespace {

const HeadlineOf simulated_time{"time_us", "us", [](double seconds) { return 1e6 * seconds; }};

Fields with(Fields axes, const std::string& name, const Scalar& value) {
  axes.emplace_back(name, value);
  return axes;
}

PointRecord simulated_point(RunBuilder& builder, const std::string& what, Fields axes) {
  PointRecord record = builder.point("fabric.flows." + what, std::move(axes));
  record.conditions = {
      {"basis", "Simulated by flows under bound sharing. Known error: 17 %.\nAssumed, not measured: links."}};
  return record;
}

void add_step(RunBuilder& builder, const Fields& axes, std::int64_t operation, std::int64_t step,
              double alike) {
  PointRecord record =
      simulated_point(builder, "step", with(with(axes, "operation", operation), "step", step));
  record.conditions.emplace_back("operation_text", operation == 1 ? "1GiB all_reduce" : "2 us of compute");
  record.conditions.emplace_back("stream", "stream 1");
  record.conditions.emplace_back("steps_alike", alike);
  builder.measured(std::move(record), 1e-3, simulated_time);
}

/// The third uplink of leaf 1 has failed.
void add_leaf(RunBuilder& builder, const Fields& axes, std::int64_t leaf, const std::vector<double>& loads) {
  PointRecord record = simulated_point(builder, "leaf", with(axes, "leaf", leaf));
  for (std::size_t uplink = 0; uplink < loads.size(); ++uplink)
    if (loads[uplink] >= 0)
      record.metrics.push_back({"uplink_over_mean_" + std::to_string(uplink), "", loads[uplink], {}, {}});
  record.conditions.emplace_back("leaves", std::int64_t{256});
  record.conditions.emplace_back("seed", std::int64_t{7});
  builder.measured(std::move(record), 2e-3, {"uplinks_max_over_mean", "", [](double) { return 2.5; }});
}

void add_policy(RunBuilder& builder, std::int64_t queue_pairs) {
  const Fields axes = {
      {"fabric", "zone"}, {"workload", "ring"}, {"routing", "ecmp"}, {"queue_pairs", queue_pairs}};
  PointRecord record = simulated_point(builder, "workload", axes);
  record.metrics = {{"uplinks_max_over_mean", "", 4.0 / static_cast<double>(queue_pairs), 0.9, 4.5},
                    {"busbw_gb_per_s", "GB/s", 20, {}, {}}};
  builder.measured(std::move(record), 12e-3, simulated_time);
  add_step(builder, axes, 1, 0, 10);
  add_step(builder, axes, 2, 0, 1);
  add_leaf(builder, axes, 0, {0, 1, 2.5, 1});
  add_leaf(builder, axes, 1, {0.5, 1, -1, 1.5});
}

void add_placement(RunBuilder& builder, const std::string& order, double bytes) {
  PointRecord record = simulated_point(builder, "placement", {{"fabric", "zone"}, {"order", order}});
  record.metrics = {{"bytes_leaving_leaf", "B", bytes, {}, {}},
                    {"bytes_leaving_zone", "B", bytes / 2, {}, {}},
                    {"least_bytes_leaving_leaf", "B", 2e9, {}, {}},
                    {"least_bytes_leaving_zone", "B", 1e9, {}, {}}};
  builder.measured(std::move(record), 5e-3, simulated_time);
}

}  // namespace

std::vector<Record> fixed_simulation() {
  RunBuilder builder("20260102T030405Z-fabric");
  builder.begin(0, "fabric");
  for (const std::int64_t queue_pairs : {1, 4}) add_policy(builder, queue_pairs);
  add_placement(builder, "as_is", 8e9);
  add_placement(builder, "placed", 4e9);
  builder.end();
  return builder.take();
}

}  // namespace assay::results::test
