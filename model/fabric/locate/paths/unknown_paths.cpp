// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/locate/paths/unknown_paths.hpp"

#include <algorithm>
#include <map>

namespace assay::model::fabric::locate {

namespace {

constexpr double negligible_probability = 1e-9;  // a probability

double not_crossing(const Response& response) {
  double rest = 1;
  for (const Outcome& outcome : response) rest -= outcome.probability;
  return std::max(0.0, rest);
}

/// The lesser falls more; of equal slack, the one with the larger share.
std::pair<double, double> key_of(const Outcome& outcome) { return {outcome.slack, 1 - outcome.share}; }

}  // namespace

std::vector<LikelyLink> likely_links(const Router& router, NodeId source, NodeId destination) {
  router.check_reach(source, destination);
  const Topology& topology = router.topology();
  const NodeId first = topology.leaf_of(source), leaf = topology.leaf_of(destination);
  std::vector<LikelyLink> likely = {{source, 1}};
  std::map<NodeId, double> here = {{first, 1}};  // all at one distance from the source
  while (!here.empty()) {
    std::map<NodeId, double> next;
    for (const auto& [at, probability] : here) {
      if (at == leaf) continue;
      std::span<const LinkId> links = router.next_hops().towards(leaf, at);
      if (router.settings().kind == RoutingKind::pinned && at == first)
        links = links.subspan(topology.slot_of(destination) % links.size(), 1);
      for (const LinkId link : links) {
        const double part = probability / static_cast<double>(links.size());
        likely.push_back({link, part});
        next[topology.to(link)] += part;
      }
    }
    here = std::move(next);
  }
  likely.push_back({topology.link_to_host(destination), 1});
  return likely;
}

Response binomial_response(double probability, int queue_pairs, double slack, QueuePairRule rule) {
  if (probability >= 1 - negligible_probability) return {{1, slack}};
  Response response;
  double term = std::pow(1 - probability, queue_pairs);  // of k = 0
  for (int k = 1; k <= queue_pairs; ++k) {
    term *= (queue_pairs - k + 1) * probability / (k * (1 - probability));
    if (term <= negligible_probability) continue;
    const double share = static_cast<double>(k) / queue_pairs;
    response.push_back(rule == QueuePairRule::slowest ? Outcome{term, slack - std::log(share), 1}
                                                      : Outcome{term, slack, share});
  }
  return response;
}

Response slower_of(const Response& one, const Response& other) {
  std::map<std::pair<double, double>, double> by_key;
  for (const Outcome& first : one) {
    by_key[key_of(first)] += first.probability * not_crossing(other);
    for (const Outcome& second : other)
      by_key[std::min(key_of(first), key_of(second))] += first.probability * second.probability;
  }
  for (const Outcome& second : other) by_key[key_of(second)] += second.probability * not_crossing(one);
  Response slower;
  for (const auto& [key, probability] : by_key)
    if (probability > negligible_probability) slower.push_back({probability, key.first, 1 - key.second});
  return slower;
}

}  // namespace assay::model::fabric::locate
