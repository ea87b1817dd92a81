// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/trials/flow_ports.hpp"

#include <gtest/gtest.h>

#include <mutex>

#include "harness/path/udp_port.hpp"
#include "rdma/tests/on_ranks.hpp"

namespace assay::rdma {
namespace {

using fake::FakeVerbs;
using tests::flow;

TEST(FlowPorts, AreThoseOfTheReceivingEndOfThePayload) {
  for (const Operation operation : {Operation::write, Operation::send, Operation::read}) {
    const FakeVerbs verbs;
    const tests::TwoEnds ends(
        tests::settings({.operation = operation, .posting = {.qps = 2, .tx_depth = 8}}));
    const auto pairs = own_queue_pairs(*ends.first);
    ASSERT_EQ(pairs.front().size(), 2U);
    for (std::size_t at = 0; at < 2; ++at) {
      const Lane& lane = ends.first->lanes()[at];
      EXPECT_EQ(pairs.front()[at].source_port,
                path::udp_source_port(0, lane.qp.number(), lane.remote_number));
      EXPECT_EQ(pairs.front()[at].destination_qpn,
                operation == Operation::read ? lane.qp.number() : lane.remote_number)
          << to_string(operation);
    }
    EXPECT_TRUE(own_queue_pairs(*ends.second).front().empty());
  }
}

TEST(FlowPorts, OfDatagramsAreUnknown) {
  const FakeVerbs verbs;
  const tests::TwoEnds ends(tests::settings({.operation = Operation::send, .transport = Transport::ud}));
  EXPECT_TRUE(own_queue_pairs(*ends.first).front().empty());
}

TEST(FlowPorts, EveryRankLearnsThoseOfAll) {
  const FakeVerbs verbs;
  const Settings settings = tests::settings();
  std::mutex mutex;
  std::vector<std::vector<std::vector<core::QueuePairReport>>> gathered(3);
  tests::all_well_on_ranks(3, [&](team::Team& team) {
    const Wiring wiring(team, settings, {flow(0, 1, settings), flow(1, 2, settings), flow(2, 0, settings)});
    auto pairs = gather_queue_pairs(wiring);
    const auto own = own_queue_pairs(wiring);
    const std::lock_guard lock(mutex);
    const auto rank = static_cast<std::size_t>(team.rank());
    EXPECT_EQ(pairs[rank], own[rank]);
    gathered[rank] = std::move(pairs);
  });
  for (const auto& flow_pairs : gathered.front()) EXPECT_EQ(flow_pairs.size(), 1U);
  EXPECT_EQ(gathered[0], gathered[1]);
  EXPECT_EQ(gathered[0], gathered[2]);
}

}  // namespace
}  // namespace assay::rdma
