// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/traffic/stream.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mutex>

#include "rdma/tests/on_ranks.hpp"

namespace assay::rdma {
namespace {

using fake::FakeVerbs;
using testing::HasSubstr;
using tests::Asked;
using tests::flow;
using tests::on_ranks;

/// Figures that both ends of one flow know after one run of `messages`.
struct Both {
  double seconds = 0;
  std::int64_t posted = 0, received = 0;
};

Both run_once(const Settings& settings, std::int64_t messages) {
  Both both;
  tests::all_well_on_ranks(2, [&](team::Team& team) {
    Wiring wiring(team, settings, {flow(0, 1, settings)});
    Stream stream(wiring);
    const double seconds = stream.run({0}, messages);
    team.barrier(10);
    if (team.rank() == 0) both.seconds = seconds;
    if (team.rank() == 0)
      for (const std::int64_t posted : stream.senders().front().posted()) both.posted += posted;
    for (std::size_t lane = 0; team.rank() == 1 && lane < wiring.lanes().size(); ++lane)
      both.received += stream.received(lane);
  });
  return both;
}

class EachOperation : public testing::TestWithParam<std::tuple<Operation, Transport, Completion>> {};

TEST_P(EachOperation, IsTimedAndDrained) {
  const auto [operation, transport, completion] = GetParam();
  if (!illegal(operation, transport).empty()) return;
  const FakeVerbs verbs;
  const Settings settings = tests::settings(
      {.operation = operation,
       .bytes = atomic(operation) ? 8 : 100,
       .transport = transport,
       .posting = {.qps = 2, .tx_depth = 8, .post_list = 2, .cq_moderation = 4, .completion = completion},
       .slots = atomic(operation) ? 1 : 3});
  const Both both = run_once(settings, 50);
  EXPECT_GT(both.seconds, 0);
  EXPECT_GE(both.posted, 50);
  if (consumes_receive(operation) && transport == Transport::rc) {
    EXPECT_EQ(both.received, both.posted);
  }
  EXPECT_EQ(verbs.left_over(), "");
  EXPECT_EQ(verbs.misuse(), std::vector<std::string>());
}
INSTANTIATE_TEST_SUITE_P(OverEachTransport, EachOperation,
                         testing::Combine(testing::Values(Operation::write, Operation::write_imm,
                                                          Operation::send, Operation::read,
                                                          Operation::fetch_add, Operation::compare_swap),
                                          testing::Values(Transport::rc, Transport::uc, Transport::ud),
                                          testing::Values(Completion::polling, Completion::events)));

TEST(Stream, OfAFastFlowGoesOnUntilTheSlowestIsTimed) {
  const FakeVerbs verbs;
  const Settings fast = tests::settings({.bytes = 8, .posting = {.tx_depth = 2}});
  const Settings slow = tests::settings({.bytes = 4 << 20, .posting = {.tx_depth = 2}});
  std::int64_t fast_posted = 0, fast_timed = 0, slow_timed = 0;
  tests::all_well_on_ranks(4, [&](team::Team& team) {
    Wiring wiring(team, fast, {flow(0, 1, fast), flow(2, 3, slow)});
    Stream stream(wiring);
    const double seconds = stream.run({0, 1}, 8);
    EXPECT_EQ(seconds > 0, team.rank() % 2 == 0);
    if (team.rank() == 0) fast_posted = stream.senders().front().posted().front();
    if (team.rank() == 0) fast_timed = stream.senders().front().total_messages();
    if (team.rank() == 2) slow_timed = stream.senders().front().total_messages();
  });
  EXPECT_EQ(fast_timed, 8);
  EXPECT_EQ(slow_timed, 8);
  EXPECT_GT(fast_posted, fast_timed);
}

TEST(Stream, RunsOnlyTheFlowsItIsTold) {
  const FakeVerbs verbs;
  const Settings settings = tests::settings();
  tests::all_well_on_ranks(3, [&](team::Team& team) {
    Wiring wiring(team, settings, {flow(0, 1, settings), flow(1, 2, settings)});
    Stream stream(wiring);
    EXPECT_EQ(stream.run({1}, 10) > 0, team.rank() == 1);
    if (team.rank() == 0) {
      EXPECT_EQ(stream.senders().front().posted().front(), 0);
    }
  });
}

TEST(Stream, OfAProbeAmongStreamsTimesItsMessages) {
  const FakeVerbs verbs;
  const Settings settings = tests::settings({.bytes = 4096});
  Flow probe = flow(2, 0, tests::settings({.bytes = 8, .posting = {.tx_depth = 1}}));
  probe.probe = true;
  tests::all_well_on_ranks(3, [&](team::Team& team) {
    Wiring wiring(team, settings, {flow(1, 0, settings), probe});
    Stream stream(wiring);
    stream.run({0, 1}, 2000);
    if (team.rank() == 2) {
      EXPECT_GE(stream.senders().front().each_s().size(), 1U);
    }
  });
}

std::vector<tests::Ended> ends_with(const Asked& asked, Fault fault) {
  const Settings settings = tests::settings(asked);
  return on_ranks(2, [&](team::Team& team) {
    Wiring wiring(team, settings, {flow(0, 1, settings)}, fault);
    Stream(wiring).run({0}, 10);
  });
}

TEST(Stream, WithAPlantedFaultSaysWhatHappenedAtTheSendersEnd) {
  const Asked write{}, send{.operation = Operation::send};
  const std::tuple<Asked, Fault, const char*, long> planted[] = {
      {write, Fault::wrong_key, "IBV_WC_REM_ACCESS_ERR (10)", 10},
      {write, Fault::wrong_address, "IBV_WC_REM_ACCESS_ERR (10)", 10},
      {write, Fault::wrong_gid, "IBV_WC_RETRY_EXC_ERR (12)", 12},
      {send, Fault::empty_receive_queue, "IBV_WC_RNR_RETRY_EXC_ERR (13)", 13}};
  for (const auto& [asked, fault, words, code] : planted) {
    FakeVerbs verbs;
    verbs.set_receiver_not_ready_limit(0.05);
    const auto ended = ends_with(asked, fault);
    EXPECT_THAT(ended[0].what, HasSubstr(words));
    EXPECT_THAT(ended[0].what, HasSubstr("from rank 0 to rank 1 (queue pair"));
    EXPECT_EQ(ended[0].code, code);
    EXPECT_EQ(verbs.left_over(), "");
  }
}

TEST(Stream, OverPortsOfDifferentMtuWorksWithTheSmallerAndFailsWhereTheLargerIsPlanted) {
  const FakeVerbs verbs({{.name = "large"}, {.name = "small", .ports = {{.active_mtu = IBV_MTU_1024}}}});
  for (const auto& [fault, fails] : {std::pair{Fault::none, false}, {Fault::larger_mtu, true}}) {
    const auto ended = on_ranks(2, [&, planted = fault](team::Team& team) {
      Settings settings = tests::settings();
      settings.device = team.rank() == 0 ? "large" : "small";
      Wiring wiring(team, settings, {flow(0, 1, settings)}, planted);
      Stream(wiring).run({0}, 10);
    });
    EXPECT_EQ(ended[0].threw, fails) << ended[0].what;
  }
}

TEST(Stream, TellsTheDevicesEventWithTheFailure) {
  FakeVerbs verbs;
  const Settings settings = tests::settings();
  const auto ended = on_ranks(2, [&](team::Team& team) {
    Wiring wiring(team, settings, {flow(0, 1, settings)}, Fault::wrong_gid);
    team.barrier(10);
    if (team.rank() == 0) verbs.raise(IBV_EVENT_PORT_ERR);
    Stream(wiring).run({0}, 10);
  });
  EXPECT_THAT(ended[0].what, HasSubstr(", after mlx5_0 port 1: port error): IBV_WC_RETRY_EXC_ERR"));
}

TEST(Stream, WhosePeerFallsSilentEndsWithinItsLimit) {
  FakeVerbs verbs;
  const Settings settings = tests::settings();
  const auto ended = on_ranks(2, [&](team::Team& team) {
    Wiring wiring(team, settings, {flow(0, 1, settings)});
    if (team.rank() == 1) verbs.silence(wiring.lanes().front().qp.number());
    Stream(wiring).run({0}, 10);
  });
  EXPECT_THAT(ended[0].what,
              HasSubstr("IBV_WC_RETRY_EXC_ERR (12): the peer did not answer within all retries"));
  EXPECT_FALSE(ended[1].lost);
}

}  // namespace
}  // namespace assay::rdma
