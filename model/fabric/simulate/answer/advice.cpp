// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/answer/advice.hpp"

#include <algorithm>
#include <cmath>

#include "harness/core/error.hpp"
#include "harness/core/statistics/statistics.hpp"

namespace assay::model::fabric {

namespace {

constexpr int more_queue_pairs = 4, most_queue_pairs = 1024;

struct Variant {
  std::string what;
  FabricFile fabric;
};

struct AddSpine {
  bool operator()(ZoneShape& one) const { return ++one.spines > 0; }
  bool operator()(DataCentreShape& one) const { return ++one.zone.spines > 0; }
  bool operator()(RailShape& one) const { return ++one.spines > 0; }
  template <class Other>
  bool operator()(Other& /*has no spines to add*/) const {
    return false;
  }
};

constexpr std::uint32_t most_planned_ranks = 4096;  // plans of more take too long to be an advice

std::vector<Variant> variants_of(const FabricFile& fabric, std::uint32_t ranks) {
  std::vector<Variant> variants;
  const bool hashes = !fabric.engineered && (fabric.routing.kind == RoutingKind::ecmp ||
                                             fabric.routing.kind == RoutingKind::e_ecmp);
  if (hashes && fabric.routing.queue_pairs * more_queue_pairs <= most_queue_pairs) {
    variants.push_back({"4 times the queue pairs", fabric});
    variants.back().fabric.routing.queue_pairs *= more_queue_pairs;
  }
  Variant wider{"one more uplink at every leaf", fabric};
  wider.fabric.radix.reset();
  wider.fabric.switches.memory_bytes.reset();
  for (TierSettings& tier : wider.fabric.tiers) tier.switches.memory_bytes.reset();
  const bool shares = fabric.switches.kind == BufferKind::shared ||
                      std::ranges::any_of(fabric.tiers, [](const TierSettings& tier) {
                        return tier.switches.kind == BufferKind::shared;
                      });
  if (!shares && std::visit(AddSpine(), wider.fabric.shape)) variants.push_back(std::move(wider));
  if (!fabric.engineered && ranks <= most_planned_ranks) {
    variants.push_back({"traffic engineering", fabric});
    variants.back().fabric.routing.kind = RoutingKind::e_ecmp;
    variants.back().fabric.engineered = true;
  }
  if (fabric.routing.kind != RoutingKind::adaptive) {
    variants.push_back({"spraying", fabric});
    variants.back().fabric.routing.kind = RoutingKind::adaptive;
    variants.back().fabric.engineered = false;
  }
  return variants;
}

void take_times(const std::vector<double>& before_us, const std::vector<double>& after_us, Change& change) {
  constexpr double noise = 1e-9;  // of floating-point sums
  std::vector<double> gains = gains_of(before_us, after_us);
  for (double& gain : gains) gain = std::abs(gain) < noise ? 0 : gain;
  change.time_us = core::quantile_of(after_us, 0.5);
  change.gain = core::quantile_of(before_us, 0.5) / change.time_us - 1;
  if (std::abs(change.gain) < noise) change.gain = 0;
  change.gain_lower = core::quantile_of(gains, 0.05);
  change.gain_upper = core::quantile_of(gains, 0.95);
}

}  // namespace

std::vector<double> gains_of(const std::vector<double>& before_us, const std::vector<double>& after_us) {
  std::vector<double> gains;
  for (std::size_t at = 0; at < before_us.size(); ++at) gains.push_back(before_us[at] / after_us[at] - 1);
  return gains;
}

bool hosts_decide(const Simulation& simulation) {
  constexpr double noticeable = 1e-3;
  if (simulation.overlaps) return false;
  double hosts_us = 0;
  for (const OperationTimes& one : simulation.operations) hosts_us += one.hosts_us;
  return core::quantile_of(simulation.time_us, 0.5) <= hosts_us * (1 + noticeable);
}

std::optional<std::vector<Change>> what_would_help(const Scenario& scenario, const Simulation& simulation,
                                                   const SimulationOptions& options) {
  if (hosts_decide(simulation)) return std::vector<Change>();
  double flows = 1;  // of a seed
  for (const OperationTimes& one : simulation.operations)
    for (const StepTimes& step : one.steps)
      flows +=
          static_cast<double>(step.flows) * (step.rule == SharingRuleKind::bound ? 1 : flows_of_a_solved_one);
  SimulationOptions times_only = options;
  times_only.loads = false;
  times_only.seeds = static_cast<std::uint32_t>(std::min<double>(options.seeds, most_advised_flows / flows));
  if (simulation.overlaps || times_only.seeds == 0) return std::nullopt;
  const std::vector<double> before(simulation.time_us.begin(), simulation.time_us.begin() + times_only.seeds);
  std::vector<Change> changes;
  for (const Variant& variant : variants_of(scenario.model().file(), scenario.workload().ranks())) {
    changes.push_back({.seeds = times_only.seeds, .what = variant.what});
    try {
      const Scenario changed(variant.fabric, scenario.workload());
      take_times(before, simulate(changed, times_only).time_us, changes.back());
    } catch (const core::Error& error) {  // more flows or demands than it is made for
      changes.back().refused = error.what();
    }
  }
  std::ranges::stable_sort(changes, [](const Change& one, const Change& other) {
    return one.refused.empty() && (!other.refused.empty() || one.gain > other.gain);
  });
  return changes;
}

}  // namespace assay::model::fabric
