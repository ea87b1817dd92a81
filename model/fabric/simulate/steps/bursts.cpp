// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/steps/bursts.hpp"

#include <algorithm>

#include "model/fabric/simulate/steps/step_plan.hpp"

namespace assay::model::fabric {

namespace {

using Column = results::Column;

double longest_round_trip_us(const FabricModel& model, const Router& router, const OperationSends& sends,
                             const RankGroup& group) {
  double longest_us = 0;
  const NodeId from = sends.host_of(group.front());
  for (const std::uint32_t rank : group)
    if (const NodeId to = sends.host_of(rank); to != from && !model.by_nvlink(from, to))
      router.route(from, to, 1, 0, [&](std::span<const LinkId> path, std::uint64_t) {
        longest_us = std::max(longest_us, model.round_trip_us(path));
      });
  return longest_us;
}

}  // namespace

std::vector<OperationBursts> bursts_of(const Scenario& scenario, const Simulation& simulation) {
  const FabricModel& model = scenario.model();
  const Router router(model.topology(), {});
  std::vector<OperationBursts> all;
  for (const OperationTimes& one : simulation.operations) {
    if (one.operation->kind != OperationKind::all_to_all) continue;
    const OperationSends sends(*one.operation, scenario.host_of_rank(), send_settings_of(model));
    const auto group = std::ranges::max_element(one.operation->groups, {}, &RankGroup::size);
    if (!sends.is_equal_at_once() || group->size() < 3) continue;
    const double us = longest_round_trip_us(model, router, sends, *group);
    if (us <= 0) continue;
    const BurstSettings settings{
        .ranks = static_cast<int>(group->size()),
        .block_bytes = static_cast<double>(one.operation->bytes) / static_cast<double>(group->size()),
        .bytes_per_us = model.capacity(sends.host_of(group->front())),
        .round_trip_us = us,
        .seed = simulation.median_seed};
    all.push_back({one.operation->text(), us, unaligned_bursts(settings), staggered_bursts(settings)});
  }
  return all;
}

results::Table burst_table(const std::vector<OperationBursts>& bursts) {
  results::Table table{.title = "Queues at hosts within a round trip, the largest"};
  table.columns = {{"operation", "", Column::Kind::text},
                   {"round trip", "us", Column::Kind::number},
                   {"unaligned starts", "kB", Column::Kind::number},
                   {"staggered starts", "kB", Column::Kind::number}};
  for (const OperationBursts& one : bursts)
    table.rows.push_back({one.operation, results::Number{one.round_trip_us},
                          results::Number{1e-3 * one.unaligned.most_bytes},
                          results::Number{1e-3 * one.staggered.most_bytes}});
  return table;
}

}  // namespace assay::model::fabric
