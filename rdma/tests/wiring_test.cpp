// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/traffic/wiring/wiring.hpp"

#include <gtest/gtest.h>

#include <mutex>

#include "harness/core/tests/message_of.hpp"
#include "rdma/tests/on_ranks.hpp"
#include "rdma/traffic/wiring/lane_addresses.hpp"

namespace assay::rdma {
namespace {

using core::tests::message_of;
using fake::FakeVerbs;
using tests::flow;
using tests::on_ranks;
using tests::TwoEnds;

TEST(Wiring, ConnectsBothEndsWithEachOther) {
  const FakeVerbs verbs;
  {
    const TwoEnds ends(tests::settings({.posting = {.qps = 3, .tx_depth = 8}, .slots = 4}));
    ASSERT_EQ(ends.first->lanes().size(), 3U);
    ASSERT_EQ(ends.second->lanes().size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
      const Lane &near = ends.first->lanes()[i], &far = ends.second->lanes()[i];
      EXPECT_EQ(near.remote_number, far.qp.number());
      EXPECT_EQ(far.remote_number, near.qp.number());
      EXPECT_EQ(near.remote_address,
                reinterpret_cast<std::uint64_t>(ends.second->memory().address() + far.offset));
      EXPECT_EQ(near.offset, i * 4 * 64);
      EXPECT_EQ(near.qp.get()->state, IBV_QPS_RTS);
    }
    EXPECT_TRUE(ends.first->begins_here(ends.first->lanes().front()));
    EXPECT_FALSE(ends.second->begins_here(ends.second->lanes().front()));
    EXPECT_EQ(ends.first->mtu_bytes(), 4096);
    EXPECT_EQ(verbs.left_over(), "ibv_context: 2, ibv_cq: 2, ibv_mr: 2, ibv_pd: 2, ibv_qp: 6");
  }
  EXPECT_EQ(verbs.left_over(), "");
  EXPECT_EQ(verbs.misuse(), std::vector<std::string>());
}

TEST(Wiring, GivesEachRankOnlyTheLanesOfItsOwnFlows) {
  const FakeVerbs verbs;
  const Settings settings = tests::settings();
  std::mutex mutex;
  std::vector<std::size_t> lanes(4);
  tests::all_well_on_ranks(4, [&](team::Team& team) {
    const Wiring wiring(team, settings, {flow(0, 1, settings), flow(1, 2, settings), flow(0, 2, settings)});
    const std::lock_guard lock(mutex);
    lanes[static_cast<std::size_t>(team.rank())] = wiring.lanes().size();
  });
  EXPECT_EQ(lanes, (std::vector<std::size_t>{2, 2, 2, 0}));
  EXPECT_EQ(verbs.left_over(), "");
}

TEST(Wiring, OfDatagramsMakesAddressesAtBothEnds) {
  const FakeVerbs verbs;
  const TwoEnds ends(tests::settings({.operation = Operation::send, .transport = Transport::ud}));
  EXPECT_NE(ends.first->lanes().front().address, nullptr);
  EXPECT_NE(ends.second->lanes().front().address, nullptr);
  EXPECT_EQ(ends.first->stride_bytes(ends.first->flows().front()), 128U);  // 64 and the header of 40
}

TEST(Wiring, HoldsReceivesOnlyWhereMessagesConsumeThem) {
  const FakeVerbs verbs(fake::DeviceSpec{.max_qp_wr = 16384, .max_cqe = 40000});
  // 2 * 16384 sends fit; with twice as many receives they would not.
  const TwoEnds ends(tests::settings({.posting = {.qps = 2, .tx_depth = 16384}}));
  EXPECT_EQ(ends.first->completions().get()->cqe, 32768);
}

TEST(Wiring, BeyondACompletionQueueSaysWhatToLower) {
  const FakeVerbs verbs(fake::DeviceSpec{.max_cqe = 100});
  const Settings settings = tests::settings({.posting = {.qps = 7, .tx_depth = 16}});
  const auto ended =
      on_ranks(2, [&](team::Team& team) { const Wiring wiring(team, settings, {flow(0, 1, settings)}); });
  EXPECT_EQ(
      ended[0].what,
      "rank 0 (thread0): 112 outstanding work requests are more than a completion queue of mlx5_0 holds "
      "(100): lower qps or tx_depth; rank 1 (thread1): 112 outstanding work requests are more than a "
      "completion queue of mlx5_0 holds (100): lower qps or tx_depth");
  EXPECT_EQ(ended[1].what, ended[0].what);
  EXPECT_EQ(verbs.left_over(), "");
}

TEST(Wiring, RefusesDatagramsLongerThanThePathMtu) {
  const FakeVerbs verbs(fake::DeviceSpec{.ports = {{.active_mtu = IBV_MTU_1024}}});
  const Settings settings =
      tests::settings({.operation = Operation::send, .bytes = 1025, .transport = Transport::ud});
  for (const auto& rank :
       on_ranks(2, [&](team::Team& team) { const Wiring wiring(team, settings, {flow(0, 1, settings)}); })) {
    EXPECT_TRUE(rank.unsupported);
    EXPECT_NE(rank.what.find("a datagram of 1025 bytes does not fit the path MTU of 1024"),
              std::string::npos);
  }
}

TEST(Wiring, ThatFailsAtOneRankFailsAtBothWithTheSameWords) {
  FakeVerbs verbs;
  verbs.fail("ibv_reg_mr", 1, ENOMEM, 1);
  const Settings settings = tests::settings();
  const auto ended =
      on_ranks(2, [&](team::Team& team) { const Wiring wiring(team, settings, {flow(0, 1, settings)}); });
  EXPECT_TRUE(ended[1].what.starts_with("register "));
  EXPECT_EQ(ended[1].code, 12);
  EXPECT_EQ(ended[0].what, "rank 1 (thread1): " + ended[1].what);
  EXPECT_EQ(ended[0].kind, core::ErrorKind::verbs);
  EXPECT_EQ(ended[0].code, 12);
  EXPECT_EQ(verbs.left_over(), "");
}

TEST(LaneAddresses, AreTheSameAfterTheirWayAsText) {
  LaneAddresses told{.gid = fake::gid_of("10.0.0.7"), .lid = 3, .mtu_bytes = 1024, .key = 0xffffffff};
  told.lanes = {{0, 0, 0x11, 0xffffff, 0xffff'ffff'ffff'ff00}, {0, 1, 0x12, 2, 64}, {4, 0, 0x13, 3, 128}};
  const LaneAddresses read = lane_addresses_from(to_text(told));
  EXPECT_EQ(read.gid.raw[15], 7);
  EXPECT_EQ(read.lid, 3);
  EXPECT_EQ(read.key, 0xffffffffU);
  EXPECT_EQ(read.of(0, 0).address, 0xffff'ffff'ffff'ff00U);
  EXPECT_EQ(read.of(0, 1).number, 0x12U);
  EXPECT_EQ(read.of(4, 0).first_packet, 3U);
  EXPECT_EQ(message_of([&] { read.of(4, 1); }), "the peer sent nothing about queue pair 1 of flow 4");
  EXPECT_EQ(message_of([&] { read.of(1, 0); }), "the peer sent nothing about queue pair 0 of flow 1");
}

TEST(LaneAddresses, ThatMakeNoSenseAreRefused) {
  for (const char* text : {"", "{", "[]", R"({"gid":[1,2],"lid":0,"mtu":1024,"key":1,"lanes":[]})",
                           R"({"gid":[],"lid":0,"mtu":1024,"key":1,"lanes":[[1]]})"})
    EXPECT_THROW(lane_addresses_from(text), core::Error) << text;
}

}  // namespace
}  // namespace assay::rdma
