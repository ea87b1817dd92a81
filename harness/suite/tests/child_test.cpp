// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Processes that take too long, and what a room announces.
#include "harness/suite/child.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "harness/core/tests/message_of.hpp"
#include "harness/suite/supervise.hpp"

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

}  // namespace
}  // namespace assay::suite
