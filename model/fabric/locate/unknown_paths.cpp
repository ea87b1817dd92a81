// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/locate/unknown_paths.hpp"

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

Response binomial_response(double probability, int queue_pairs, double slack) {
  if (probability >= 1 - negligible_probability) return {{1, slack}};
  Response response;
  double term = std::pow(1 - probability, queue_pairs);  // of k = 0
  for (int k = 1; k <= queue_pairs; ++k) {
    term *= (queue_pairs - k + 1) * probability / (k * (1 - probability));
    if (term > negligible_probability)
      response.push_back({term, slack + std::log(static_cast<double>(queue_pairs) / k)});
  }
  return response;
}

Response slower_of(const Response& one, const Response& other) {
  std::map<double, double> by_slack;
  for (const Outcome& first : one) {
    by_slack[first.slack] += first.probability * not_crossing(other);
    for (const Outcome& second : other)
      by_slack[std::min(first.slack, second.slack)] += first.probability * second.probability;
  }
  for (const Outcome& second : other) by_slack[second.slack] += second.probability * not_crossing(one);
  Response slower;
  for (const auto& [slack, probability] : by_slack)
    if (probability > negligible_probability) slower.push_back({probability, slack});
  return slower;
}

}  // namespace assay::model::fabric::locate
