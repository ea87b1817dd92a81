// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/traffic/ping_pong.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rdma/tests/on_ranks.hpp"

namespace assay::rdma {
namespace {

using fake::FakeVerbs;
using testing::HasSubstr;
using tests::flow;

Settings of(Operation operation, Transport transport, Completion completion, std::int64_t bytes = 64) {
  return tests::settings({.operation = operation,
                          .bytes = atomic(operation) ? 8 : bytes,
                          .transport = transport,
                          .posting = {.tx_depth = 16, .completion = completion},
                          .slots = ping_pong_slots});
}

class Exchanges : public testing::TestWithParam<std::tuple<Operation, Transport, Completion>> {};

TEST_P(Exchanges, AreTimedOneByOneAndCarryTheirContent) {
  const auto [operation, transport, completion] = GetParam();
  const bool blind = operation == Operation::write && completion == Completion::events;
  if (!illegal(operation, transport).empty() || blind) return;
  const FakeVerbs verbs;
  const Settings settings = of(operation, transport, completion);
  tests::all_well_on_ranks(2, [&](team::Team& team) {
    Wiring wiring(team, settings, {flow(0, 1, settings)});
    PingPong ping_pong(wiring);
    ping_pong.prepare_content();
    for (int run = 0; run < 2; ++run) {
      const std::vector<double> each = ping_pong.run(20);
      EXPECT_EQ(each.size(), team.rank() == 0 ? 20U : 0U);
      for (const double seconds : each) EXPECT_GT(seconds, 0);
    }
    const std::optional<HostTime> host_time = ping_pong.host_time(20);
    ASSERT_EQ(host_time.has_value(), team.rank() == 0);
    if (host_time) {
      EXPECT_GT(host_time->posting_s, 0);
      EXPECT_GT(host_time->taking_s, 0);
    }
    team.barrier(10);
    EXPECT_EQ(ping_pong.check(), "") << "at rank " << team.rank();
  });
  EXPECT_EQ(verbs.left_over(), "");
  EXPECT_EQ(verbs.misuse(), std::vector<std::string>());
}
INSTANTIATE_TEST_SUITE_P(OverEachTransport, Exchanges,
                         testing::Combine(testing::Values(Operation::write, Operation::write_imm,
                                                          Operation::send, Operation::read,
                                                          Operation::fetch_add, Operation::compare_swap),
                                          testing::Values(Transport::rc, Transport::uc, Transport::ud),
                                          testing::Values(Completion::polling, Completion::events)));

TEST(PingPong, OfEachSizeKeepsItsLastByteForTheSequence) {
  for (const std::int64_t bytes : {1, 2, 64, 65}) {
    const FakeVerbs verbs;
    const Settings settings = of(Operation::write, Transport::rc, Completion::polling, bytes);
    tests::all_well_on_ranks(2, [&](team::Team& team) {
      Wiring wiring(team, settings, {flow(0, 1, settings)});
      PingPong ping_pong(wiring);
      ping_pong.prepare_content();
      ping_pong.run(bytes == 1 ? 260 : 3);  // the sequence wraps at 256
      team.barrier(10);
      EXPECT_EQ(ping_pong.check(), "") << bytes << " bytes";
      EXPECT_EQ(ping_pong.last_byte_in_order(), "yes");
    });
  }
}

TEST(PingPong, NoticesAByteThatChangedOnItsWay) {
  for (const Operation operation :
       {Operation::write, Operation::send, Operation::write_imm, Operation::read}) {
    FakeVerbs verbs;
    verbs.spoil_messages(5);
    const Settings settings = of(operation, Transport::rc, Completion::polling);
    std::string found;
    tests::all_well_on_ranks(2, [&](team::Team& team) {
      Wiring wiring(team, settings, {flow(0, 1, settings)});
      PingPong ping_pong(wiring);
      ping_pong.prepare_content();
      ping_pong.run(4);
      team.barrier(10);
      if (team.rank() == 0) found = ping_pong.check();
    });
    EXPECT_THAT(found, HasSubstr("byte 5: expected 0x")) << to_string(operation);
  }
}

TEST(PingPong, NoticesContentThatNeverCame) {
  const FakeVerbs verbs;
  const Settings settings = of(Operation::send, Transport::rc, Completion::polling);
  tests::all_well_on_ranks(2, [&](team::Team& team) {
    Wiring wiring(team, settings, {flow(0, 1, settings)});
    PingPong ping_pong(wiring);
    ping_pong.run(4);
    ping_pong.prepare_content();  // what is checked must have come after this
    team.barrier(10);
    EXPECT_THAT(ping_pong.check(), HasSubstr("byte 0: expected 0x"));
  });
}

TEST(PingPong, NoticesAnAtomicThatWasLost) {
  FakeVerbs verbs;
  verbs.lose_message(2);
  const Settings settings = of(Operation::fetch_add, Transport::rc, Completion::polling);
  tests::all_well_on_ranks(2, [&](team::Team& team) {
    Wiring wiring(team, settings, {flow(0, 1, settings)});
    PingPong ping_pong(wiring);
    ping_pong.run(4);
    if (team.rank() == 0) {
      EXPECT_EQ(ping_pong.check(), "the counter held 2 before the last atomic, expected 3");
    }
  });
}

TEST(PingPong, WhoseDatagramIsDroppedEndsInWordsAndLeavesNobodyWaiting) {
  FakeVerbs verbs;
  verbs.lose_message(3);
  const Settings settings = of(Operation::send, Transport::ud, Completion::polling);
  const auto ended = tests::on_ranks(2, [&](team::Team& team) {
    Wiring wiring(team, settings, {flow(0, 1, settings)});
    PingPong(wiring).run(4);
  });
  EXPECT_EQ(ended[0].what, "an answer did not come within 5 s");
  EXPECT_FALSE(ended[1].threw);
  EXPECT_EQ(verbs.left_over(), "");
}

TEST(PingPong, LeavesThirdRanksOut) {
  const FakeVerbs verbs;
  const Settings settings = of(Operation::send, Transport::rc, Completion::polling);
  tests::all_well_on_ranks(3, [&](team::Team& team) {
    Wiring wiring(team, settings, {flow(0, 1, settings)});
    PingPong ping_pong(wiring);
    EXPECT_EQ(ping_pong.run(4).size(), team.rank() == 0 ? 4U : 0U);
    if (team.rank() == 2) {
      EXPECT_EQ(ping_pong.check(), "");
    }
  });
}

}  // namespace
}  // namespace assay::rdma
