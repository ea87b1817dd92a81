// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Plans against themselves with names permuted at random and faults planted.
#include "model/fabric/wiring/match_nets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "model/fabric/presets.hpp"
#include "model/fabric/wiring/wiring_faults.hpp"

namespace assay::model::fabric::wiring {
namespace {

/// Cables between nodes of three kinds: hosts, and switches in tiers.
struct Plan {
  std::vector<Tier> tiers;
  std::vector<Cable> cables;
  std::vector<std::string> labels;  // of hosts
};

Plan plan_of(const Topology& topology, std::uint32_t rails = 1) {
  Plan plan;
  for (std::size_t tier = 0; tier < topology.tiers(); ++tier)
    plan.tiers.push_back(
        {topology.kind_of_tier(tier),
         static_cast<std::uint32_t>(topology.first_of_tier(tier + 1) - topology.first_of_tier(tier))});
  for (LinkId link = 0; link < topology.links() / 2; ++link)
    plan.cables.push_back({topology.from(link), topology.to(link)});
  for (NodeId host = 0; host < topology.hosts(); ++host)
    plan.labels.push_back(rails > 1 ? std::to_string(host % rails) : "");
  return plan;
}

/// Groups of `a` switches, all joined; each switch has `h` hosts and `h` cables to other groups (Kim et al.
/// 2008).
Plan dragonfly(std::uint32_t a, std::uint32_t h) {
  const std::uint32_t groups = a * h + 1, switches = groups * a, hosts = switches * h;
  Plan plan{{{"host", hosts}, {"leaf", switches}}, {}, std::vector<std::string>(hosts)};
  for (NodeId host = 0; host < hosts; ++host) plan.cables.push_back({host, hosts + host / h});
  for (std::uint32_t group = 0; group < groups; ++group)
    for (std::uint32_t one = 0; one < a; ++one) {
      const NodeId own = hosts + group * a + one;
      for (std::uint32_t other = one + 1; other < a; ++other) plan.cables.push_back({own, own + other - one});
      for (std::uint32_t slot = 0; slot < h; ++slot) {
        const std::uint32_t distance = one * h + slot + 1, peer = (group + distance) % groups;
        const std::uint32_t back = groups - distance - 1;  // the slot of the other group that leads here
        if (group < peer) plan.cables.push_back({own, hosts + peer * a + back / h});
      }
    }
  return plan;
}

Topology topology_of(const Plan& plan) { return {plan.tiers, plan.cables}; }

/// New numbers for the nodes of each tier.
Plan renamed(Plan plan, std::mt19937_64& random) {
  std::vector<NodeId> number;
  for (const Tier& tier : plan.tiers) {
    const std::size_t first = number.size();
    number.resize(first + tier.nodes);
    std::iota(number.begin() + static_cast<std::ptrdiff_t>(first), number.end(), first);
    std::shuffle(number.begin() + static_cast<std::ptrdiff_t>(first), number.end(), random);
  }
  std::vector<std::string> labels = plan.labels;
  for (std::size_t host = 0; host < labels.size(); ++host) plan.labels[number[host]] = labels[host];
  for (Cable& cable : plan.cables) {
    cable.lower = number[cable.lower];
    cable.upper = number[cable.upper];
    if (cable.lower > cable.upper) std::swap(cable.lower, cable.upper);
  }
  std::ranges::shuffle(plan.cables, random);
  return plan;
}

/// Exchanges the upper ends of two cables between switches, or takes one away.
struct Planted {
  std::uint64_t swaps = 0, lost = 0;
};
Planted plant(Plan& plan, std::uint32_t faults, std::mt19937_64& random) {
  Planted planted;
  std::vector<std::size_t> between;
  for (std::size_t at = 0; at < plan.cables.size(); ++at)
    if (plan.cables[at].lower >= plan.tiers.front().nodes) between.push_back(at);
  std::ranges::shuffle(between, random);
  std::vector<std::size_t> gone;
  for (std::uint32_t fault = 0; fault < faults; ++fault) {
    Cable& one = plan.cables[between.back()];
    const std::size_t own = between.back();
    between.pop_back();
    if (fault % 2 == 1) {
      gone.push_back(own);
      ++planted.lost;
      continue;
    }
    const auto partner = std::ranges::find_if(between, [&](std::size_t at) {
      const Cable& other = plan.cables[at];
      return one.lower != other.lower && one.upper != other.upper && one.lower < other.upper &&
             other.lower < one.upper;
    });
    if (partner == between.end()) continue;
    std::swap(one.upper, plan.cables[*partner].upper);
    between.erase(partner);
    ++planted.swaps;
  }
  std::ranges::sort(gone, std::greater<>());
  for (const std::size_t at : gone) plan.cables.erase(plan.cables.begin() + static_cast<std::ptrdiff_t>(at));
  return planted;
}

void expect_found(const Plan& plan, const char* name, std::uint32_t draws) {
  const Topology whole = topology_of(plan);
  const WiredNet net = wired_net(whole, plan.labels);
  for (std::uint32_t faults = 0; faults <= 5; ++faults)
    for (std::uint32_t draw = 0; draw < draws; ++draw) {
      std::mt19937_64 random(100 * faults + draw);
      Plan cabled = plan;
      const Planted planted = plant(cabled, faults, random);
      const Plan site = renamed(cabled, random);
      const Topology built = topology_of(site);
      const WiredNet site_net = wired_net(built, site.labels);
      const NetMatch match = match_nets(net, site_net);
      const WiringFaults found = wiring_faults(whole, net, built, site_net, match.site_of, true);
      const std::uint64_t most = 4 * planted.swaps + planted.lost;
      EXPECT_LE(match.faults, most) << name << ", " << faults << " faults, draw " << draw;
      EXPECT_LE(found.moves.size(), 2 * planted.swaps + planted.lost) << name << ", " << faults << " faults";
      EXPECT_EQ(found.missing.size(), found.extra.size() + planted.lost);
      EXPECT_EQ(match.faults == 0, !found.any());
      EXPECT_TRUE(planted.lost == 0 || found.any());
    }
}

TEST(MatchNets, FindsPlantedFaultsInTwoTiers) {
  expect_found(plan_of(ai_zone({.leaves = 8, .gpus_per_leaf = 4, .spines = 4, .uplinks_per_spine = 2})),
               "zone", 3);
}

TEST(MatchNets, FindsPlantedFaultsInThreeTiers) { expect_found(plan_of(fat_tree(8)), "fat tree", 2); }

TEST(MatchNets, FindsPlantedFaultsInRails) {
  expect_found(
      plan_of(
          rail({.groups = 3, .nodes_per_group = 4, .gpus_per_node = 4, .spines = 4, .uplinks_per_spine = 1}),
          4),
      "rails", 2);
}

/// Two hosts at two leaves; the cable between these, and the spines without any.
WiredNet two_leaves(bool is_joined, std::uint32_t spines) {
  const Plan plan{{{"host", 2}, {"leaf", 2}, {"spine", spines}},
                  is_joined ? std::vector<Cable>{{0, 2}, {1, 3}, {2, 3}} : std::vector<Cable>{{0, 2}, {1, 3}},
                  {"a", "b"}};
  return wired_net(topology_of(plan), plan.labels);
}

TEST(MatchNets, LeavesASwitchWithoutCablesThatTheSiteLacksUnmatched) {
  const NetMatch match = match_nets(two_leaves(true, 2), two_leaves(false, 1));
  EXPECT_GT(match.starts, 2U);
  EXPECT_EQ(match.faults, 1U);
  ASSERT_EQ(match.site_of.size(), 4U);
  EXPECT_EQ(match.site_of[0], 0U);
  EXPECT_EQ(match.site_of[1], 1U);
  EXPECT_NE(match.site_of[2] == unmatched, match.site_of[3] == unmatched);
}

TEST(MatchNets, EndsAfterTheMostStarts) {
  for (std::uint32_t starts = 1; starts <= 5; ++starts)
    EXPECT_EQ(match_nets(two_leaves(true, 1), two_leaves(false, 1), {.most_starts = starts}).starts, starts);
}

TEST(MatchNets, FindsPlantedFaultsInADragonfly) { expect_found(dragonfly(4, 2), "dragonfly", 2); }

}  // namespace
}  // namespace assay::model::fabric::wiring
