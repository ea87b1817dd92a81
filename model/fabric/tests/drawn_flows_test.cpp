// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/routing/drawn_flows.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "model/fabric/all_to_all.hpp"
#include "model/fabric/presets.hpp"

namespace assay::model::fabric {
namespace {

Topology centre() {
  return data_centre({.zones = 3, .zone = {.leaves = 12, .gpus_per_leaf = 8, .spines = 6}, .ratio = 2});
}

std::vector<double> loads(const Topology& topology, FlowChoice choice, RoutingSettings settings,
                          unsigned threads = 1) {
  std::vector<NodeId> hosts(topology.hosts());
  std::iota(hosts.begin(), hosts.end(), NodeId{0});
  return all_to_all_load(Router(topology, settings), hosts, std::vector<std::uint64_t>(hosts.size(), 4000),
                         threads, choice)
      .bytes_of_links();
}

/// Sums over the links from the first on, below the end.
struct Moments {
  double sum = 0, squares = 0;

  void add(const Topology& topology, const std::vector<double>& bytes, std::size_t tier, bool up) {
    for (NodeId at = topology.first_of_tier(tier); at < topology.first_of_tier(tier + 1); ++at)
      for (LinkId link = up ? topology.first_up(at) : topology.first_down(at);
           link < (up ? topology.end_up(at) : topology.end_down(at)); ++link) {
        sum += bytes[link];
        squares += bytes[link] * bytes[link];
        ++links_;
      }
  }
  double variance() const { return squares / links_ - sum / links_ * sum / links_; }

 private:
  double links_ = 0;
};

/// Draws of every tier between switches, over many seeds.
TEST(DrawnFlows, AreSpreadAsHashedOnesAre) {
  const Topology topology = centre();
  constexpr std::size_t first_switches = 1, tiers = 3;
  Moments hashed[tiers + 1][2], drawn[tiers + 1][2];
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    const RoutingSettings settings{.kind = RoutingKind::e_ecmp, .seed = seed, .queue_pairs = 4};
    const std::vector<double> one = loads(topology, FlowChoice::hashed, settings),
                              other = loads(topology, FlowChoice::drawn, settings);
    for (std::size_t tier = first_switches; tier <= tiers; ++tier)
      for (const bool up : {false, true}) {
        hashed[tier][up].add(topology, one, tier, up);
        drawn[tier][up].add(topology, other, tier, up);
      }
  }
  for (std::size_t tier = 2; tier <= tiers; ++tier) {
    EXPECT_NEAR(drawn[tier][false].sum, hashed[tier][false].sum, 1);
    EXPECT_NEAR(drawn[tier][false].variance() / hashed[tier][false].variance(), 1, 0.1) << tier << " down";
    EXPECT_NEAR(drawn[tier - 1][true].sum, hashed[tier - 1][true].sum, 1);
    EXPECT_NEAR(drawn[tier - 1][true].variance() / hashed[tier - 1][true].variance(), 1, 0.1)
        << tier << " up";
  }
}

TEST(DrawnFlows, DependOnTheSeedAndOnNothingElse) {
  const Topology topology = centre();
  const RoutingSettings settings{.kind = RoutingKind::ecmp, .queue_pairs = 2};
  const std::vector<double> one = loads(topology, FlowChoice::drawn, settings);
  EXPECT_EQ(loads(topology, FlowChoice::drawn, settings, 3), one);
  EXPECT_NE(loads(topology, FlowChoice::drawn, {.kind = RoutingKind::ecmp, .seed = 2, .queue_pairs = 2}),
            one);
}

TEST(DrawnFlows, AreHashedWhereSwitchesDoNotHashByThemselves) {
  const Topology topology = centre();
  for (const RoutingSettings& settings :
       {RoutingSettings{.kind = RoutingKind::ecmp, .same_seed = true},
        RoutingSettings{.kind = RoutingKind::ecmp, .hash = path::SwitchHash::crc32},
        RoutingSettings{.kind = RoutingKind::pinned}}) {
    EXPECT_FALSE(can_draw(settings, topology));
    EXPECT_EQ(loads(topology, FlowChoice::drawn, settings), loads(topology, FlowChoice::hashed, settings));
  }
}

}  // namespace
}  // namespace assay::model::fabric
