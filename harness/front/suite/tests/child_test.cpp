// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Processes that take too long, and what a module announces.
#include "harness/front/suite/processes/child.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "harness/core/tests/message_of.hpp"
#include "harness/front/suite/processes/supervise.hpp"

namespace assay::suite {
namespace {

using testing::HasSubstr;

TEST(RunAndRead, EndsWhatTakesTooLongAndWhatIsInterrupted) {
  const Output late = run_and_read({"/bin/sleep", "60"}, {.limit_s = 0.2});
  EXPECT_TRUE(late.timed_out);
  EXPECT_EQ(late.ending.signal, SIGKILL);
  const std::atomic<int> pressed{1};
  const Output interrupted = run_and_read({"/bin/sleep", "60"}, {}, &pressed);
  EXPECT_FALSE(interrupted.timed_out);
  EXPECT_EQ(interrupted.ending.signal, SIGKILL);
}

TEST(Heartbeat, IsReadOrRefusedWithWhatWasExpected) {
  const Heartbeat beat = parse_heartbeat("0.700 2 memory.host.copy bytes=64,threads=1");
  EXPECT_DOUBLE_EQ(beat.budget_s, 0.7);
  EXPECT_EQ(beat.repetition, 2);
  EXPECT_EQ(beat.case_name, "memory.host.copy");
  EXPECT_EQ(beat.key, "bytes=64,threads=1");
  for (const char* torn :
       {"", "0.7", "0.7 ", "0.7 1", "0.7 1 ", "0.7 1 memory.host.copy", "x 1 a b", "0.7 a b c"})
    EXPECT_THAT(core::tests::message_of([&] { parse_heartbeat(torn); }),
                HasSubstr("expected: budget repetition case point"))
        << torn;
}

/// A module that is this script, which finds the descriptor of its heartbeats in $fd.
Watched watched(const std::string& script, double slack_s) {
  const std::atomic<int> signals{0};
  return supervise({"/bin/bash", "-c", "fd=${0#--heartbeat-fd=}; " + script}, {.slack_s = slack_s}, signals);
}

TEST(Supervise, APointThatSaysItGoesOnMayTakeLongerThanItMayBeSilent) {
  const Watched module = watched("for i in {1..12}; do echo 0 0 a.b.c n=1 >&$fd; sleep 0.2; done", 1.2);
  EXPECT_FALSE(module.timed_out);
  EXPECT_EQ(module.ending.exit_code, 0);
  EXPECT_GT(module.in_flight_s, 2);
}

TEST(Supervise, APointThatFallsSilentIsEnded) {
  const Watched module = watched("echo 0 0 a.b.c n=1 >&$fd; echo 0 0 a.b.c n=1 >&$fd; sleep 60", 0.5);
  EXPECT_TRUE(module.timed_out);
  EXPECT_EQ(module.in_flight.key, "n=1");
}

TEST(Supervise, OnlyANewPointIsAskedWhetherToGoOn) {
  const std::atomic<int> signals{0};
  std::vector<std::string> asked;
  supervise({"/bin/bash", "-c",
             "fd=${0#--heartbeat-fd=}; for key in n=1 n=1 n=2 n=2; do echo 0 0 a.b.c $key >&$fd; done"},
            {.goes_on =
                 [&](const Heartbeat& beat) {
                   asked.push_back(beat.key);
                   return true;
                 }},
            signals);
  EXPECT_THAT(asked, testing::ElementsAre("n=1", "n=2"));
}

}  // namespace
}  // namespace assay::suite
