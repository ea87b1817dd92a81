// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Properties of times under every sharing rule: routed permutations on a two-tier fabric.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "model/fabric/load.hpp"
#include "model/fabric/presets.hpp"
#include "model/fabric/sharing/max_min.hpp"
#include "model/fabric/sharing/occupancy.hpp"
#include "model/fabric/sharing/timeline.hpp"

namespace assay::model::fabric {
namespace {

struct Permutation {
  Paths paths;
  std::vector<Message> messages;
  std::vector<double> capacities;
  double bound_us = 0;
};

Permutation permutation(unsigned seed, double speed, bool backwards = false) {
  const Topology zone = ai_zone({.leaves = 8, .gpus_per_leaf = 8, .spines = 8}, {.gbit_per_s = 400 * speed});
  const Router router(zone, {.queue_pairs = 2});
  std::vector<NodeId> to(zone.hosts());
  std::iota(to.begin(), to.end(), NodeId{0});
  std::mt19937_64 random(seed);
  std::ranges::shuffle(to, random);
  Permutation one{.paths = {}, .messages = {}, .capacities = zone.capacities()};
  Load load(router);
  for (NodeId at = 0; at < zone.hosts(); ++at) {
    const NodeId source = backwards ? zone.hosts() - 1 - at : at;
    const std::uint64_t bytes = 1'000'000 + 1000 * source;
    if (to[source] == source) continue;
    load.add(source, to[source], bytes);
    router.route(source, to[source], bytes, 0, [&](std::span<const LinkId> path, std::uint64_t part) {
      one.paths.append(path);
      one.messages.push_back({.bytes = static_cast<double>(part)});
    });
  }
  one.bound_us = bound_of(load.bytes_of_links(), one.capacities).time_us;
  return one;
}

Timeline by_max_min(const Permutation& one) {
  MaxMin rule(one.paths, one.capacities);
  return timeline_of(
      one.messages, {}, one.paths, one.capacities.size(),
      [&](std::span<const FlowId> flows, std::span<double> rates) { rule.share(flows, rates); });
}

Timeline by_occupancy(const Permutation& one) {
  std::vector<QueueSettings> queues;
  for (const double capacity : one.capacities) queues.push_back({capacity, 500e3});
  std::vector<SenderSettings> senders;
  for (std::size_t flow = 0; flow < one.messages.size(); ++flow)
    senders.push_back({one.messages[flow].bytes, one.capacities[one.paths[flow].front()]});
  Occupancy rule(one.paths, queues, senders);
  return timeline_of(
      one.messages, {}, one.paths, one.capacities.size(),
      [&](std::span<const FlowId> flows, std::span<double> rates) { rule.share(flows, rates); });
}

class EveryRule : public testing::TestWithParam<Timeline (*)(const Permutation&)> {};

TEST_P(EveryRule, TakesAtLeastTheBound) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const Permutation one = permutation(seed, 1);
    EXPECT_GE(GetParam()(one).makespan_us(), one.bound_us * (1 - 1e-9));
  }
}

TEST_P(EveryRule, TimesAreInverseToSpeeds) {
  const Timeline slow = GetParam()(permutation(3, 1)), fast = GetParam()(permutation(3, 4));
  for (std::size_t flow = 0; flow < slow.end_us.size(); ++flow)
    EXPECT_NEAR(fast.end_us[flow] * 4, slow.end_us[flow], 1e-6 * slow.end_us[flow]);
}

TEST_P(EveryRule, TheOrderOfMessagesDoesNotMatterAndRunsAreRepeatable) {
  const Timeline one = GetParam()(permutation(5, 1)), again = GetParam()(permutation(5, 1));
  EXPECT_EQ(one.end_us, again.end_us);
  std::vector<double> forwards = one.end_us, backwards = GetParam()(permutation(5, 1, true)).end_us;
  std::ranges::sort(forwards);
  std::ranges::sort(backwards);
  for (std::size_t flow = 0; flow < forwards.size(); ++flow)
    EXPECT_NEAR(backwards[flow], forwards[flow], 1e-6 * forwards[flow]);
}

std::string name_of_rule(const testing::TestParamInfo<Timeline (*)(const Permutation&)>& info) {
  return info.param == by_max_min ? "max_min" : "occupancy";
}

INSTANTIATE_TEST_SUITE_P(Sharing, EveryRule, testing::Values(by_max_min, by_occupancy), name_of_rule);

}  // namespace
}  // namespace assay::model::fabric
