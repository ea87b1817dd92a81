// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/routes/judge_routes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/fabric/presets.hpp"

namespace assay::model::fabric::routes {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Two leaves with two hosts each and two spines. Each cable has the port of its link's place at its node,
/// from 1.
class JudgeRoutes : public testing::Test {
 protected:
  JudgeRoutes() : tables_(topology_, {1, 1, 1, 1}) {
    for (LinkId link = topology_.hosts(); link < topology_.links(); ++link)
      tables_.set_link(topology_.from(link), port_of(link), link);
    for (NodeId host = 0; host < 4; ++host) {
      const NodeId own = topology_.leaf_of(host);
      for (const NodeId leaf : {NodeId{4}, NodeId{5}})
        send(leaf, host, leaf == own ? topology_.link_to_host(host) : topology_.first_up(leaf) + host % 2);
      for (const NodeId spine : {NodeId{6}, NodeId{7}})
        send(spine, host, topology_.first_down(spine) + own - 4);
    }
  }

  std::uint8_t port_of(LinkId link) const {
    const NodeId from = topology_.from(link);
    const bool up = link < topology_.links() / 2;
    return static_cast<std::uint8_t>(up ? 100 + link - topology_.first_up(from)
                                        : 1 + link - topology_.first_down(from));
  }
  void send(NodeId at, NodeId host, LinkId link) { tables_.set_port(at, host, 0, port_of(link)); }
  void send_all_over_one_spine() {
    for (const NodeId leaf : {NodeId{4}, NodeId{5}})
      for (NodeId host = 0; host < 4; ++host)
        if (topology_.leaf_of(host) != leaf) send(leaf, host, topology_.first_up(leaf));
  }
  RouteJudgement judge() const {
    return judge_routes(topology_, tables_, {{{1, 0}, {2, 0}, {3, 0}, {4, 0}}, {10, 11, 12, 13}},
                        {.permutations = 20});
  }

  Topology topology_ = ai_zone({.leaves = 2, .gpus_per_leaf = 2, .spines = 2});
  ForwardingTables tables_;
};

TEST_F(JudgeRoutes, OneSpineForEachSlotIsFreeOfCollisions) {
  const RouteJudgement judged = judge();
  EXPECT_THAT(judged.shifts, ElementsAre(1, 1, 1));
  EXPECT_EQ(judged.free_shifts(), 3U);
  EXPECT_EQ(judged.all_to_all.worst, 2U);
  EXPECT_EQ(judged.all_to_all_times, 1);
  EXPECT_EQ(judged.pairs, 12U);
  EXPECT_EQ(judged.permutations.back(), 1U);
  EXPECT_EQ(judged.effective_bisection, 1);
  EXPECT_EQ(judged.detours.pairs, 0U);
  EXPECT_THAT(judged.findings, IsEmpty());
  EXPECT_THAT(judged.cycle, IsEmpty());
  ASSERT_EQ(judged.tiers.size(), 2U);
  EXPECT_EQ(judged.tiers[0].name, "leaf>spine");
  EXPECT_EQ(judged.tiers[0].mean(), 2);
}

TEST_F(JudgeRoutes, OneSpineForAllMeets) {
  send_all_over_one_spine();
  const RouteJudgement judged = judge();
  EXPECT_EQ(judged.worst_shift(), 2U);
  EXPECT_EQ(judged.all_to_all.worst, 4U);
  EXPECT_DOUBLE_EQ(judged.all_to_all_times, 4.0 / 3);
  EXPECT_EQ(judged.even_all_to_all_times, 1);
  EXPECT_EQ(judged.tiers[0].least, 0U);
  EXPECT_EQ(judged.permutations.back(), 2U);
  EXPECT_GT(judged.effective_bisection, 0.5);
  EXPECT_LT(judged.effective_bisection, 1);
}

TEST_F(JudgeRoutes, AWayThroughASpineToTheOwnLeafIsADetour) {
  send(4, 0, topology_.first_up(4));  // leaf0 sends to its own host over spine0
  const RouteJudgement judged = judge();
  EXPECT_THAT(judged.findings, testing::SizeIs(2));  // spine0 sends it back to leaf0: a loop
  EXPECT_EQ(judged.findings.front().kind, RouteFinding::Kind::loop);
  EXPECT_EQ(judged.findings.front().lid, 1U);
  EXPECT_EQ(judged.all_to_all.undelivered, 3U);
}

TEST_F(JudgeRoutes, FindingsNameSwitchAndLid) {
  tables_.set_port(4, 2, 0, ForwardingTables::no_port);
  tables_.set_port(5, 0, 0, 77);
  send(5, 3, topology_.link_to_host(2));
  for (NodeId host = 0; host < 4; ++host) tables_.set_port(7, host, 0, ForwardingTables::no_port);
  const RouteJudgement judged = judge();
  std::vector<std::string> texts;
  for (const RouteFinding& one : judged.findings) texts.push_back(text_of(topology_, one));
  EXPECT_THAT(texts, ElementsAre("leaf0: LID 3 has no entry",
                                 "leaf1: LID 1 leaves by port 77, which has no cable in the list",
                                 "leaf1: LID 4 leaves by port 1 to another host",
                                 "spine1: the dump has no table of it with an entry of a host"));
}

TEST_F(JudgeRoutes, ThreadsChangeNothingAndSeedsDo) {
  send_all_over_one_spine();
  const Subnet subnet{{{1, 0}, {2, 0}, {3, 0}, {4, 0}}, {10, 11, 12, 13}};
  const auto drawn = [&](std::uint64_t seed, unsigned threads) {
    return judge_routes(topology_, tables_, subnet, {.permutations = 40, .seed = seed, .threads = threads});
  };
  EXPECT_EQ(drawn(1, 1).permutations, drawn(1, 3).permutations);
  EXPECT_EQ(drawn(1, 1).effective_bisection, drawn(1, 3).effective_bisection);
  EXPECT_NE(drawn(1, 1).effective_bisection, drawn(100, 1).effective_bisection);
}

}  // namespace
}  // namespace assay::model::fabric::routes
