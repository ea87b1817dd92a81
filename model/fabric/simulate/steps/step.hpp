// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One step of an operation with one hash seed.
#pragma once

#include <optional>
#include <vector>

#include "model/fabric/simulate/congestion.hpp"
#include "model/fabric/simulate/pause_log.hpp"
#include "model/fabric/simulate/steps/flow_set.hpp"
#include "model/fabric/simulate/steps/step_plan.hpp"

namespace assay::model::fabric {

/// When the last message of a host ends that it sends or receives, and the link that holds it up
/// (hold_ups.hpp).
struct HostTime {
  double time_us = 0;
  LinkId link = 0;
};

struct StepDetail {
  bool with_hosts = false;
  std::vector<double> bytes_of_links = {};
  std::vector<LinkId> paused_links = {};        // at some time, with_hosts, under occupancy sharing
  Settling settling = {};                       // likewise
  std::optional<CongestedLink> congested = {};  // under rate control
  std::vector<HostTime> hosts = {};             // of each, with_hosts; empty above most_detailed_flows
};

inline constexpr std::size_t most_detailed_flows = 4'000'000;

/// Fills `detail` from flows that took these times.
void fill(StepDetail& detail, const FabricModel& model, const FlowSet& flows, const Timeline& timeline);

/// In us, until the last message has been received. Fills `detail`.
double simulate_step(const FabricModel& model, const MessageRouter& router, const OperationSends& exchange,
                     const StepPlan& step, unsigned threads, StepDetail& detail);

}  // namespace assay::model::fabric
