// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/advice.hpp"

#include <algorithm>

#include "harness/core/statistics.hpp"

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

std::vector<Variant> variants_of(const FabricFile& fabric) {
  std::vector<Variant> variants;
  const bool hashes = fabric.routing.kind == RoutingKind::ecmp || fabric.routing.kind == RoutingKind::e_ecmp;
  if (hashes && fabric.routing.queue_pairs * more_queue_pairs <= most_queue_pairs) {
    variants.push_back({"4 times the queue pairs", fabric});
    variants.back().fabric.routing.queue_pairs *= more_queue_pairs;
  }
  Variant wider{"one more uplink at every leaf", fabric};
  wider.fabric.radix.reset();
  wider.fabric.switches.memory_bytes.reset();
  if (fabric.switches.kind != BufferKind::shared && std::visit(AddSpine(), wider.fabric.shape))
    variants.push_back(std::move(wider));
  if (fabric.routing.kind != RoutingKind::adaptive) {
    variants.push_back({"spraying", fabric});
    variants.back().fabric.routing.kind = RoutingKind::adaptive;
  }
  return variants;
}

}  // namespace

std::vector<double> gains_of(const std::vector<double>& before_us, const std::vector<double>& after_us) {
  std::vector<double> gains;
  for (std::size_t at = 0; at < before_us.size(); ++at) gains.push_back(before_us[at] / after_us[at] - 1);
  return gains;
}

std::optional<std::vector<Change>> what_would_help(const Scenario& scenario, const Simulation& simulation,
                                                   const SimulationOptions& options) {
  double flows = 0;
  for (const OperationTimes& one : simulation.operations)
    for (const StepTimes& step : one.steps) flows += static_cast<double>(step.flows);
  if (simulation.overlaps || flows * options.seeds > most_advised_flows) return std::nullopt;
  SimulationOptions times_only = options;
  times_only.loads = false;
  std::vector<Change> changes;
  for (const Variant& variant : variants_of(scenario.model().file())) {
    const Scenario changed(variant.fabric, scenario.workload());
    const std::vector<double> time_us = simulate(changed, times_only).time_us;
    const std::vector<double> gains = gains_of(simulation.time_us, time_us);
    const double median_us = core::quantile_of(time_us, 0.5);
    changes.push_back({.what = variant.what,
                       .time_us = median_us,
                       .gain = core::quantile_of(simulation.time_us, 0.5) / median_us - 1,
                       .gain_lower = core::quantile_of(gains, 0.05),
                       .gain_upper = core::quantile_of(gains, 0.95)});
  }
  std::ranges::stable_sort(changes, std::greater(), &Change::gain);
  return changes;
}

}  // namespace assay::model::fabric
