// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Facts of a step that hold whatever the hash: how many flows it has, its latency, and how fast it would be
// if every message were spread evenly.
#pragma once

#include <span>
#include <vector>

#include "model/fabric/simulate/fabric_model.hpp"
#include "model/fabric/simulate/host_ends.hpp"
#include "model/fabric/simulate/sharing.hpp"
#include "model/fabric/simulate/steps/message_router.hpp"
#include "model/fabric/simulate/steps/operation_sends.hpp"

namespace assay::model::fabric {

struct StepPlan {
  DistinctStep step;
  std::uint32_t message = 0;  // which of the queue pairs that messages take in turn
  StepFlows flows = {};
  SharingRuleKind rule = SharingRuleKind::bound;
  double latency_us = 0;                      // of the longest path
  std::vector<double> least_latency_us = {};  // of the shortest over a link of each tier of the model
  HostEnds ends = {};
  double window_us = 0;   // of the message that its window limits most, alone on the fabric; 0 for none
  double gap_us = 0;      // from the first to the last message of the sender of most
  double flow_bytes = 0;  // of the largest part of a message
  double even_us = 0;     // what the links allow
  bool drawn = false;     // counts of flows on links are, as there are more than most_hashed_flows
  std::size_t paths = 1;  // that a message between the farthest hosts is sprayed over
};

/// Routers that do not depend on the hash: over one path, and over all of them evenly.
struct CommonRouters {
  explicit CommonRouters(const FabricModel& model)
      : plain(model.topology(), {}), even(plain.with({.kind = RoutingKind::adaptive})) {}

  Router plain;
  MessageRouter even;
};

/// One operation, ready to be simulated with any hash seed.
struct OperationPlan {
  OperationSends exchange;
  std::vector<StepPlan> steps = {};
};

/// Settings of sends on the model, which must outlive them.
SendSettings send_settings_of(const FabricModel& model);

/// `before`: plans with the same arguments, whose steps hold for an operation that sends alike. Throws a
/// usage Error where failures separate ranks, and for rules other than the bound of more flows than memory
/// holds.
OperationPlan plan_operation(const FabricModel& model, const CommonRouters& routers,
                             const Operation& operation, std::span<const NodeId> host_of_rank,
                             SharingChoice choice, unsigned threads, std::span<const OperationPlan> before);

/// The plan of a controller that knows what all operations send from which port to which leaf. Throws a usage
/// Error beyond most_planned_demands.
TrafficPlan plan_of_traffic(const FabricModel& model, const std::vector<OperationPlan>& plans);
inline constexpr std::size_t most_planned_demands = 500'000;

/// The time that no way of sharing can beat: the slowest message by itself (`ends`, by the same capacities);
/// and of every link, its bytes at its capacity, after which the last of them has a path at least as long as
/// the shortest over links of its tier.
double bound_us(const FabricModel& model, const StepPlan& step, std::span<const double> bytes_of_links,
                std::span<const double> capacities, const HostEnds& ends);

/// Bytes on each link of the model when the step goes through `router`, shared among threads by sender.
std::vector<double> step_load(const FabricModel& model, const MessageRouter& router,
                              const OperationSends& exchange, const StepPlan& step, unsigned threads);

}  // namespace assay::model::fabric
