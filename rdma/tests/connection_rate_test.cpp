// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// rdma.verbs.connection_rate over the fake of libibverbs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "harness/core/measure/measure.hpp"
#include "rdma/cases.hpp"
#include "rdma/tests/on_ranks.hpp"

namespace assay::rdma {
namespace {

using core::Verification;
using fake::FakeVerbs;
using testing::HasSubstr;

machine::Machine with_an_adapter() {
  machine::Machine machine;
  machine.hcas.emplace_back();
  return machine;
}

core::Case connection_rate(const std::vector<core::Case>& all) {
  return *std::ranges::find(all, "rdma.verbs.connection_rate", &core::Case::name);
}

core::Point of_queue_pairs(std::int64_t qps, const char* transport = "rc") {
  return tests::point_with({{"qps", qps}, {"transport", transport}});
}

/// Rank 1's verification after two rounds.
Verification after_two_rounds(
    const core::Point& point, int ranks, const std::function<void()>& before_check = [] {}) {
  Verification said;
  const machine::Machine machine = with_an_adapter();
  tests::all_well_on_ranks(ranks, [&](team::Team& team) {
    const auto trial = connection_rate(cases(machine, team)).prepare(point);
    EXPECT_EQ(trial->verify().result, Verification::Result::not_checked);
    const core::Timing timing = trial->run(2);
    EXPECT_EQ(timing.each_s.size(), 2U);
    EXPECT_GT(timing.seconds, 0);
    team.barrier(10);
    if (team.rank() == 0) before_check();
    team.barrier(10);
    const Verification own = trial->verify();
    if (team.rank() == 1) said = own;
  });
  return said;
}

TEST(ConnectionRate, ConnectsEveryQueuePairOfBothRanksAndDestroysThem) {
  const FakeVerbs verbs;
  const Verification said = after_two_rounds(of_queue_pairs(3), 2);
  EXPECT_EQ(said.result, Verification::Result::right) << said.why;
  EXPECT_EQ(said.why, "a message over each of the last 3 connections");
  std::map<ibv_qp_state, int> reached;
  for (const fake::Transition& one : verbs.transitions()) ++reached[one.attributes.qp_state];
  for (const ibv_qp_state state : {IBV_QPS_INIT, IBV_QPS_RTR, IBV_QPS_RTS})
    EXPECT_EQ(reached[state], 2 * 2 * 3) << "two rounds, two ranks, three queue pairs";
  EXPECT_EQ(verbs.left_over(), "");
  EXPECT_TRUE(verbs.misuse().empty());
}

TEST(ConnectionRate, FindsAConnectionThatCarriesAnotherMessage) {
  FakeVerbs verbs;
  const Verification said = after_two_rounds(of_queue_pairs(2), 2, [&] { verbs.spoil_messages(5); });
  EXPECT_EQ(said.result, Verification::Result::wrong);
  EXPECT_THAT(said.why, HasSubstr("a message over a new connection: byte 5"));
}

TEST(ConnectionRate, LeavesOtherRanksAside) {
  const FakeVerbs verbs;
  EXPECT_EQ(after_two_rounds(of_queue_pairs(1), 3).result, Verification::Result::right);
}

TEST(ConnectionRate, ThatFailsAtOneRankEndsAtBoth) {
  FakeVerbs verbs;
  const machine::Machine machine = with_an_adapter();
  verbs.fail("ibv_modify_qp", 2, EIO, 1);
  const auto ended = tests::on_ranks(
      2, [&](team::Team& team) { connection_rate(cases(machine, team)).prepare(of_queue_pairs(1))->run(1); });
  for (const auto& rank : ended) EXPECT_THAT(rank.what, HasSubstr("move a queue pair to RTR"));
  EXPECT_EQ(verbs.left_over(), "");
}

TEST(ConnectionRate, CountsConnectionsAndRefusesDatagrams) {
  const FakeVerbs verbs;
  const machine::Machine machine = with_an_adapter();
  const core::Case listed = connection_rate(declared_cases(machine, 2));
  EXPECT_EQ(core::headline_unit(listed.headline), "1/s");
  EXPECT_EQ(listed.work(of_queue_pairs(16)).operations, 16);
  EXPECT_EQ(listed.unsupported(of_queue_pairs(1)), std::nullopt);
  EXPECT_THAT(listed.unsupported(of_queue_pairs(1, "ud")), testing::Optional(HasSubstr("no connection")));
  EXPECT_THROW(listed.work(of_queue_pairs(65)), core::Error) << "the device has 64 queue pairs";
}

}  // namespace
}  // namespace assay::rdma
