// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The timeline of flows that fall into parts which share no link and do not wait for each other: each part by
// itself, and parts on threads. A step to the next leaf of 24,576 GPUs has 1,536 of them.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "model/fabric/sharing/timeline.hpp"

namespace assay::model::fabric {

/// Its flows and links have numbers of their own, from 0: these are the numbers that they had.
struct TimelinePart {
  std::vector<FlowId> flows;
  std::vector<LinkId> links;
  Paths paths;  // of the new flows over the new links
};

/// Parts in the order of their first flows.
std::vector<TimelinePart> parts_of(std::span<const Precedence> precedences, const Paths& paths,
                                   std::size_t links);

/// The rule for the flows and links of a part, which outlives it. Called by several threads; the rule may use
/// `threads` of its own.
using RuleOfPart = std::function<SharingRule(const TimelinePart& part, unsigned threads)>;

/// The batch of a part of more than many_flows, whose rates cost more.
inline constexpr double batch_of_many = 0.05;
inline constexpr std::size_t many_flows = 4000;

/// As timeline_of. Batches are of one part: without `batch`, default_batch or batch_of_many. Neither threads
/// (at least 1) nor their order change a digit, or which part's error is thrown.
Timeline timeline_in_parts(std::span<const Message> messages, std::span<const Precedence> precedences,
                           const Paths& paths, std::size_t links, const RuleOfPart& rule,
                           unsigned threads = 1, std::optional<double> batch = std::nullopt);

}  // namespace assay::model::fabric
