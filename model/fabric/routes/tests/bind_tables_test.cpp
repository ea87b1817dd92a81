// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/routes/bind_tables.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "model/fabric/all_to_all.hpp"
#include "model/fabric/presets.hpp"
#include "model/fabric/routing/routing.hpp"

namespace assay::model::fabric::routes {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// host0 and host1 on leaf0, host2 on leaf1, two spines; the second cable from leaf0 to spine0 is parallel.
const std::vector<NamedCable> cables = {{"host0", "leaf0"},  {"host1", "leaf0"},  {"host2", "leaf1"},
                                        {"leaf0", "spine0"}, {"leaf0", "spine0"}, {"leaf0", "spine1"},
                                        {"leaf1", "spine0"}, {"leaf1", "spine1"}};
constexpr NodeId leaf0 = 3, leaf1 = 4, spine0 = 5, spine1 = 6;
const std::vector<PortedCable> ported = {{0, leaf0, 1, 1},      {1, leaf0, 1, 2},      {2, leaf1, 1, 1},
                                         {leaf0, spine0, 5, 1}, {leaf0, spine0, 6, 2}, {leaf0, spine1, 7, 1},
                                         {leaf1, spine0, 5, 3}, {leaf1, spine1, 6, 2}};
const Subnet subnet = {{{1, 0}, {2, 0}, {4, 1}}, {10, 11, 12, 13}};

/// LIDs 1, 2, 4 and 5 at leaf0 (10), leaf1 (11), spine0 (12) and spine1 (13).
std::string dump_text(const std::string& of_four_at_leaf0 = "6") {
  return "Unicast lids [0-5] of switch Lid 9 guid 0xa ('l0'):\n0x0001 1\n0x0002 2\n0x0004 " +
         of_four_at_leaf0 +
         "\n0x0005 7\nUnicast lids [0-5] of switch Lid 9 guid 0xb ('l1'):\n0x0001 5\n0x0002 6\n0x0004 "
         "1\n0x0005 1\n"
         "Unicast lids [0-5] of switch Lid 9 guid 0xc ('s0'):\n0x0001 2\n0x0002 1\n0x0004 3\n0x0005 3\n"
         "Unicast lids [0-5] of switch Lid 9 guid 0xd ('s1'):\n0x0001 1\n0x0002 1\n0x0004 2\n0x0005 2\n";
}

class TableRouting : public testing::Test {
 protected:
  Router router(const std::string& text, int queue_pairs = 1, bool spread = false) const {
    return {topology_,
            {.kind = RoutingKind::tables,
             .queue_pairs = queue_pairs,
             .tables = std::make_shared<const ForwardingTables>(
                 bind_tables(topology_, ported, subnet, parse_lft_dump(text, "dump"))),
             .spread_lids = spread}};
  }
  std::vector<std::string> names(std::span<const LinkId> path) const {
    std::vector<std::string> names;
    for (const LinkId link : path) names.push_back(topology_.name_of_link(link));
    return names;
  }

  Topology topology_ = from_cables(cables);
};

TEST_F(TableRouting, GoesByThePortsOfTheTables) {
  const Router by_tables = router(dump_text());
  EXPECT_THAT(names(by_tables.path_of(0, 2, {})),
              ElementsAre("host0>leaf0", "leaf0>spine0", "spine0>leaf1", "leaf1>host2"));
  EXPECT_EQ(by_tables.path_of(0, 2, {})[1], topology_.link_named("leaf0>spine0#2"));
  EXPECT_THAT(names(by_tables.path_of(2, 0, {})),
              ElementsAre("host2>leaf1", "leaf1>spine0", "spine0>leaf0", "leaf0>host0"));
  EXPECT_EQ(by_tables.path_of(2, 0, {})[2], topology_.reverse(topology_.link_named("leaf0>spine0#2")));
  EXPECT_THAT(names(by_tables.path_of(0, 1, {})), ElementsAre("host0>leaf0", "leaf0>host1"));
}

TEST_F(TableRouting, QueuePairsUseTheFirstLidUnlessTheySpread) {
  const auto uplinks = [this](const Router& one) {
    std::vector<std::string> links;
    one.route(0, 2, 4, 0, [&](std::span<const LinkId> path, std::uint64_t) {
      links.push_back(topology_.name_of_link(path[1]));
    });
    return links;
  };
  EXPECT_THAT(uplinks(router(dump_text(), 2)), ElementsAre("leaf0>spine0", "leaf0>spine0"));
  EXPECT_THAT(uplinks(router(dump_text(), 3, true)),
              ElementsAre("leaf0>spine0", "leaf0>spine1", "leaf0>spine0"));
}

TEST_F(TableRouting, LoadsAreThoseOfThePaths) {
  for (const bool spread : {false, true}) {
    const Router one = router(dump_text(), 2, spread);
    std::vector<std::uint64_t> expected(topology_.links());
    for (NodeId from = 0; from < 3; ++from)
      for (NodeId to = 0; to < 3; ++to)
        if (from != to)
          one.route(from, to, 6, 0, [&](std::span<const LinkId> path, std::uint64_t bytes) {
            for (const LinkId link : path) expected[link] += bytes;
          });
    const std::vector<double> wanted(expected.begin(), expected.end());
    const std::vector<NodeId> hosts = {0, 1, 2};
    const std::vector<std::uint64_t> bytes = {6, 6, 6};
    EXPECT_EQ(all_to_all_load(one, hosts, bytes).bytes_of_links(), wanted) << spread;
    const EachMessage each = [](NodeId from, const std::function<void(NodeId, std::uint64_t)>& send) {
      for (NodeId to = 0; to < 3; ++to)
        if (from != to) send(to, 6);
    };
    EXPECT_EQ(load_of(one, each).bytes_of_links(), wanted) << spread;
  }
}

TEST_F(TableRouting, WaysThatDeliverNothingAreNamed) {
  const auto why = [this](const std::string& at_leaf0) -> std::string {
    try {
      static_cast<void>(router(dump_text(at_leaf0)).path_of(1, 2, {}));
      return "accepted";
    } catch (const core::Error& error) {
      return error.what();
    }
  };
  EXPECT_THAT(why("255"), HasSubstr("from host1 to host2: leaf0 has no entry"));
  EXPECT_THAT(why("9"), HasSubstr("leaf0 sends to a port without a cable"));
  EXPECT_THAT(why("1"), HasSubstr("leaf0 sends to another host"));
  std::string loop = dump_text("5");
  loop.replace(loop.find("guid 0xc"), std::string::npos, "guid 0xc ('s0'):\n0x0004 1\n");
  try {
    static_cast<void>(router(loop).path_of(1, 2, {}));
    ADD_FAILURE() << "accepted a loop";
  } catch (const core::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("a loop crosses"));
  }
}

TEST_F(TableRouting, ACableThatFailedSinceIsNamed) {
  topology_.fail_cable(topology_.link_named("leaf1>spine0"));
  try {
    router(dump_text()).check_reach(0, 2);
    ADD_FAILURE() << "accepted a failed cable";
  } catch (const core::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("spine0>leaf1 has failed since they were set"));
  }
}

}  // namespace
}  // namespace assay::model::fabric::routes
