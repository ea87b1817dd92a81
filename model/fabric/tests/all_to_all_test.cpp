// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/all_to_all.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/core/error.hpp"
#include "model/fabric/presets.hpp"

namespace assay::model::fabric {
namespace {

using path::SwitchHash;

TEST(AllToAll, IsTheSumOfItsMessages) {
  const Topology zone = ai_zone({.leaves = 6, .gpus_per_leaf = 4, .spines = 3});
  const Router router(zone, {.queue_pairs = 2});
  const std::vector<NodeId> hosts = {21, 3, 4, 5, 19, 0};
  const std::vector<std::uint64_t> bytes = {10, 20, 30, 40, 50, 61};
  Load expected(router);
  for (const NodeId source : hosts)
    for (std::size_t to = 0; to < hosts.size(); ++to)
      if (hosts[to] != source) expected.add(source, hosts[to], bytes[to]);
  for (const unsigned threads : {1U, 3U})
    EXPECT_EQ(all_to_all_load(router, hosts, bytes, threads).bytes_of_links(), expected.bytes_of_links());
}

class AllToAllOf : public testing::TestWithParam<RoutingSettings> {
 protected:
  /// Two groups over all leaves, out of order; some hosts are in none. Servers are of two hosts.
  void compare(const Topology& topology) const {
    const Router router(topology, GetParam());
    std::vector<std::uint32_t> servers;
    std::vector<AllToAll> groups(2);
    for (NodeId host = 0; host < topology.hosts(); ++host) {
      servers.push_back(host / 2);
      if (host % 7 != 3) groups[host / 2 % 2].push_back({host, 1000 + host});
    }
    std::ranges::reverse(groups[1]);
    Load expected(router);
    for (const AllToAll& group : groups)
      for (const auto& [from, _] : group)
        for (const auto& [to, bytes] : group)
          if (servers[from] != servers[to]) expected.add(from, to, bytes);
    for (const unsigned threads : {1U, 2U, 5U})
      ASSERT_EQ(all_to_all_load(router, groups, servers, threads).bytes_of_links(),
                expected.bytes_of_links());
  }
};

TEST_P(AllToAllOf, GroupsIsTheSumOfMessagesBetweenServers) {
  Topology centre =
      data_centre({.zones = 3, .zone = {.leaves = 6, .gpus_per_leaf = 5, .spines = 4}, .ratio = 2});
  compare(centre);
  centre.fail_cable(centre.link_named("leaf3>spine1"));  // flows between two leaves have one way left at some
  centre.fail_cable(centre.link_named("spine6>aggregate1"));
  compare(centre);
  compare(fat_tree(4));
  compare(rail({.groups = 2, .nodes_per_group = 3, .gpus_per_node = 4, .spines = 2}));
}

INSTANTIATE_TEST_SUITE_P(
    Routings, AllToAllOf,
    testing::Values(RoutingSettings{.kind = RoutingKind::ecmp},
                    RoutingSettings{.kind = RoutingKind::e_ecmp, .queue_pairs = 30},
                    RoutingSettings{.kind = RoutingKind::pinned, .queue_pairs = 2},
                    RoutingSettings{.kind = RoutingKind::adaptive},
                    RoutingSettings{.kind = RoutingKind::ecmp, .hash = SwitchHash::crc32, .queue_pairs = 3},
                    RoutingSettings{.kind = RoutingKind::e_ecmp, .hash = SwitchHash::toeplitz}));

TEST(AllToAll, NamesTheSamePairThatIsSeparatedWhateverTheThreads) {
  Topology zone = ai_zone({.leaves = 16, .gpus_per_leaf = 4, .spines = 1});
  zone.fail_cable(zone.link_named("leaf9>spine0"));
  const Router router(zone, {});
  std::vector<NodeId> hosts = {1, 20, 37, 63};
  for (const unsigned threads : {1U, 2U, 5U}) {
    std::string message;
    try {
      all_to_all_load(router, hosts, std::vector<std::uint64_t>(4, 1), threads);
    } catch (const core::Error& error) {
      message = error.what();
    }
    EXPECT_THAT(message, testing::HasSubstr("separate host1 from host37"));
  }
  hosts.erase(hosts.begin() + 2);
  EXPECT_NO_THROW(all_to_all_load(router, hosts, std::vector<std::uint64_t>(3, 1)));
}

}  // namespace
}  // namespace assay::model::fabric
