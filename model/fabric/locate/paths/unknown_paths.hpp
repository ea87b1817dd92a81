// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A flow whose path is unknown: with which probability it crosses each link, over all equal-cost paths.
#pragma once

#include <vector>

#include "model/fabric/locate/measurement.hpp"
#include "model/fabric/locate/response.hpp"

namespace assay::model::fabric::locate {

struct LikelyLink {
  LinkId link = 0;
  double probability = 0;  // above 0
};

/// An ideal hash takes every live link of a shortest path with equal probability at every switch; `pinned`
/// knows the first. Throws a usage Error where failures separate the hosts.
std::vector<LikelyLink> likely_links(const Router& router, NodeId source, NodeId destination);

/// The response of a flow of `queue_pairs` queue pairs, each of which crosses an element with `probability`:
/// k of them do with the binomial probability. By QueuePairRule::slowest, the element limits the flow from a
/// loss of `slack` + ln(queue_pairs/k) on; by `average`, that share of the flow from `slack` on.
Response binomial_response(double probability, int queue_pairs, double slack,
                           QueuePairRule rule = QueuePairRule::slowest);

/// The response of the slower of two flows that respond independently.
Response slower_of(const Response& one, const Response& other);

}  // namespace assay::model::fabric::locate
