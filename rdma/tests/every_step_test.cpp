// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Every single verbs call of a whole point fails once, at either rank: nothing is left over, both ranks throw
// the errno in words, and nobody waits for a rank that has given up.
#include <gtest/gtest.h>

#include <chrono>

#include "harness/team/agree.hpp"
#include "rdma/tests/on_ranks.hpp"
#include "rdma/traffic/ping_pong.hpp"
#include "rdma/traffic/stream.hpp"

namespace assay::rdma {
namespace {

using fake::FakeVerbs;
using tests::flow;

/// A step of a point as lockstep takes it: one rank's failure is both's.
template <class Step>
void together(team::Team& team, Step step) {
  team::agree(team, [&] {
    step();
    return std::string();
  });
}

void stream(team::Team& team, const Settings& settings) {
  std::optional<Wiring> wiring;
  std::optional<Stream> made;
  together(team, [&] {
    wiring.emplace(team, settings, std::vector{flow(0, 1, settings)});
    made.emplace(*wiring);
  });
  together(team, [&] { made->run({0}, 3); });
}

void ping_pong(team::Team& team, const Settings& settings) {
  std::optional<Wiring> wiring;
  std::optional<PingPong> made;
  together(team, [&] {
    wiring.emplace(team, settings, std::vector{flow(0, 1, settings)});
    made.emplace(*wiring);
  });
  together(team, [&] { made->run(1); });
}

using Point = std::function<void(team::Team&)>;

/// One failing call; false once there are not so many calls.
bool fails_well(const Point& point, const std::string& function, int nth, int failing_rank) {
  FakeVerbs verbs;
  verbs.set_receiver_not_ready_limit(0.2);
  verbs.fail(function, nth, EIO, failing_rank);
  const auto start = std::chrono::steady_clock::now();
  const auto ended = tests::on_ranks(2, point);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(verbs.left_over(), "");
  EXPECT_EQ(verbs.misuse(), std::vector<std::string>());
  if (verbs.failed().empty()) {
    for (const auto& rank : ended) EXPECT_EQ(rank.what, "") << "though nothing failed";
    return false;
  }
  const std::string where =
      verbs.failed() + ", call " + std::to_string(nth) + " of rank " + std::to_string(failing_rank);
  EXPECT_LT(took.count(), 15) << where;  // below the limit after which a rank counts as lost
  for (const auto& rank : ended) {
    EXPECT_TRUE(rank.threw) << where;
    EXPECT_FALSE(rank.lost) << where << ": " << rank.what;
    EXPECT_EQ(rank.kind, core::ErrorKind::verbs) << where << ": " << rank.what;
    EXPECT_NE(rank.what.find("Input/output error (errno 5)"), std::string::npos)
        << where << ": " << rank.what;
  }
  return true;
}

void every_call_fails_well(const Point& point) {
  for (int rank = 0; rank < 2; ++rank) {
    int nth = 1;
    while (nth < 500 && fails_well(point, "", nth, rank)) ++nth;
    EXPECT_GT(nth, 15) << "at rank " << rank;
    EXPECT_LT(nth, 500) << "at rank " << rank;
    for (int poll = 1; poll <= 3; ++poll) fails_well(point, "ibv_poll_cq", poll, rank);
  }
}

TEST(EveryVerbsCall, OfAStreamOfSendsMayFail) {
  const Settings settings = tests::settings({.operation = Operation::send, .posting = {.tx_depth = 4}});
  every_call_fails_well([&](team::Team& team) { stream(team, settings); });
}

TEST(EveryVerbsCall, OfAStreamOfDatagramsWithEventsMayFail) {
  const Settings settings = tests::settings({.operation = Operation::send,
                                             .transport = Transport::ud,
                                             .posting = {.tx_depth = 4, .completion = Completion::events}});
  every_call_fails_well([&](team::Team& team) { stream(team, settings); });
}

TEST(EveryVerbsCall, OfAReadPingPongMayFail) {
  const Settings settings =
      tests::settings({.operation = Operation::read, .posting = {.tx_depth = 16}, .slots = ping_pong_slots});
  every_call_fails_well([&](team::Team& team) { ping_pong(team, settings); });
}

TEST(EveryVerbsCall, OfASendPingPongMayFail) {
  const Settings settings =
      tests::settings({.operation = Operation::send, .posting = {.tx_depth = 16}, .slots = ping_pong_slots});
  every_call_fails_well([&](team::Team& team) { ping_pong(team, settings); });
}

}  // namespace
}  // namespace assay::rdma
