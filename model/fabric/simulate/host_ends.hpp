// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// When the last message of a step has arrived, seen from the links of hosts: what messages need on the way
// differs, and a tier's shortest path says little of a host whose only message goes far.
#pragma once

#include <functional>
#include <span>

#include "model/fabric/simulate/fabric_model.hpp"
#include "model/fabric/simulate/steps/operation_sends.hpp"

namespace assay::model::fabric {

struct HostEnds {
  double alone_us = 0;  // of the slowest message by itself; no rule beats it
  /// Times of the host's link that needs the longest: that of its bytes at its capacity, and the sum of that
  /// and the latency of the farthest message over it. Equal flows that share it fairly end together.
  double load_us = 0, busiest_us = 0;
};

/// The latency of a message over the fabric, until all of it has arrived.
using LatencyBetween = std::function<double(NodeId from, NodeId to)>;

/// Ends of all messages of the step, by these capacities of links.
HostEnds host_ends(const FabricModel& model, const OperationSends& exchange, int step,
                   const LatencyBetween& latency_us, std::span<const double> capacities);

/// Ends of an all-to-all at once, whose messages are too many to look at: `latency_us` is the farthest one's.
HostEnds ends_of_all(const FabricModel& model, const OperationSends& exchange, double latency_us,
                     std::span<const double> capacities);

}  // namespace assay::model::fabric
