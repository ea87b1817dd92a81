// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/measured/expectation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "harness/core/error.hpp"
#include "harness/core/statistics/statistics.hpp"
#include "model/fabric/file/build_fabric.hpp"
#include "model/fabric/file/measured_ports.hpp"

namespace assay::model::fabric::measured {

namespace {

struct SimulatedTimes {
  std::vector<double> time_us;  // of an iteration, for each seed
  std::vector<SharingRuleKind> rules;
};

SimulatedTimes simulate_operation(FabricFile fabric, const MeasuredOperation& measured,
                                  const SimulationOptions& options) {
  if (measured.queue_pairs > 0) {
    fabric.routing.queue_pairs = measured.queue_pairs;
    fabric.queue_pair_use = QueuePairUse::split;
  }
  const double least_us = measured.messages * fabric.server.message_gap_us;
  const std::uint32_t hosts = topology_of(fabric).hosts();
  std::vector<NodeId> each(hosts);
  std::iota(each.begin(), each.end(), NodeId{0});
  WorkloadFile workload{.file = measured.point,
                        .name = measured.case_name,
                        .jobs = {{.name = "measured", .ranks = {0, hosts}}},
                        .streams = {{.name = "measured", .operations = {measured.operation}}}};
  const Scenario scenario(std::move(fabric), std::move(workload), std::move(each));
  Simulation simulation = simulate(scenario, options);
  for (double& us : simulation.time_us) us = std::max(us / measured.iterations, least_us);
  return {std::move(simulation.time_us), std::move(simulation.rules)};
}

results::Number simulated_number(const FabricFile& fabric, const MeasuredOperation& measured,
                                 const SimulatedTimes& times, const SimulationOptions& options) {
  const auto at = [&](GoodputEnd end, double quantile) {
    const auto there = at_goodput(fabric, end);
    return core::quantile_of(there ? simulate_operation(*there, measured, options).time_us : times.time_us,
                             quantile);
  };
  return {core::quantile_of(times.time_us, 0.5), at(GoodputEnd::upper, 0.05), at(GoodputEnd::lower, 0.95)};
}

}  // namespace

std::vector<ExpectedOperation> expected_operations(const FabricFile& fabric, RunOperations operations,
                                                   const SimulationOptions& options) {
  SimulationOptions times_only = options;
  times_only.loads = false;
  std::vector<ExpectedOperation> all;
  for (MeasuredOperation& measured : operations.operations) {
    SimulatedTimes times = simulate_operation(fabric, measured, times_only);
    const results::Number simulated = simulated_number(fabric, measured, times, times_only),
                          &us = measured.measured_us;
    const results::Number speed{simulated.value / us.value, *simulated.lower / us.upper.value_or(us.value),
                                *simulated.upper / us.lower.value_or(us.value)};
    all.push_back({std::move(measured), simulated, speed, std::move(times.rules)});
  }
  return all;
}

void scale_to_measured(const std::vector<ExpectedOperation>& operations, const std::string& run,
                       Simulation& simulation) {
  if (simulation.overlaps || simulation.jobs.size() > 1)
    core::usage_error("--scale-to-measured: streams or jobs overlap: expected one after the other");
  std::map<std::pair<std::string, std::string>, std::vector<double>> longer;
  for (const ExpectedOperation& one : operations)
    longer[{one.measured.operation.collective, one.measured.operation.algorithm}].push_back(1 /
                                                                                            one.speed.value);
  const double before_us = core::quantile_of(simulation.time_us, 0.5);
  bool any = false;
  for (OperationTimes& one : simulation.operations) {
    const auto found = longer.find({one.operation->collective, one.operation->algorithm});
    if (one.operation->kind == OperationKind::compute || found == longer.end()) continue;
    any = true;
    one.scale = core::quantile_of(found->second, 0.5);
    for (std::size_t at = 0; at < one.time_us.size(); ++at) {
      simulation.time_us[at] += (one.scale - 1) * one.time_us[at];
      one.time_us[at] *= one.scale;
    }
    for (StepTimes& step : one.steps)
      for (double& us : step.time_us) us *= one.scale;
  }
  if (!any)
    core::usage_error(fmt::format("--scale-to-measured: {} measured no operation of the workload", run));
  simulation.scaled_to = run;
  simulation.hosts.clear();  // their times are sums over operations
  if (!simulation.goodput_ends) return;
  const double factor = core::quantile_of(simulation.time_us, 0.5) / before_us;
  simulation.goodput_ends->fastest_us *= factor;
  simulation.goodput_ends->slowest_us *= factor;
}

}  // namespace assay::model::fabric::measured
