// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Measurements between hosts of a fabric: flows, how fast they were, and what is known of their paths.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/fabric/routing/routing.hpp"

namespace assay::model::fabric::locate {

/// One of its flow's queue pairs, which have equal parts of its bytes. Its path follows from `ports`, or is
/// `path` (links from NIC to receiver), or is any of the shortest paths where both are empty.
struct MeasuredQueuePair {
  std::optional<QueuePairPorts> ports = std::nullopt;
  std::vector<LinkId> path = {};
};

struct MeasuredFlow {
  NodeId source = 0, destination = 0;                 // two different hosts
  std::vector<MeasuredQueuePair> queue_pairs = {{}};  // at least one
};

/// A pair, or a step of a pattern or collective, whose slowest flow decides its rate.
struct Measurement {
  std::vector<MeasuredFlow> flows;  // at least one
  double rate = 0;                  // of the slowest flow: above 0; bytes/us, or any unit common to all
  double relative_error = 0;        // standard error over rate; 0: unknown
  std::uint32_t round = 0;          // what runs together has one
  std::uint32_t kind = 0;           // those of one kind lose alike where no element is slow
};

/// The effect of a slow queue pair on its flow.
enum class QueuePairRule {
  slowest,  // a message is split over all, and ends with the slowest: a link limits the flow below its share
  average,  // each falls by what its link loses, as where packets are lost, and their rates add up
};

/// Whether flows of other measurements of the round crossed the same links at the same time.
enum class Concurrency { alone, together };

}  // namespace assay::model::fabric::locate
