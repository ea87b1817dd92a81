// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/process/ready_within.hpp"

#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <sys/time.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "harness/core/files/descriptor.hpp"
#include "harness/core/seconds_since.hpp"

namespace assay::core {
namespace {

volatile std::sig_atomic_t interruptions = 0;

/// Signals every 2 ms, without SA_RESTART.
class Interruptions {
 public:
  Interruptions() {
    interruptions = 0;
    struct sigaction action{};
    action.sa_handler = [](int) { interruptions = interruptions + 1; };
    sigaction(SIGALRM, &action, &before_);
    set_period_us(2000);
  }
  ~Interruptions() {
    set_period_us(0);
    sigaction(SIGALRM, &before_, nullptr);
  }
  Interruptions(const Interruptions&) = delete;
  Interruptions& operator=(const Interruptions&) = delete;

 private:
  static void set_period_us(suseconds_t period) {
    const itimerval timer{{0, period}, {0, period}};
    setitimer(ITIMER_REAL, &timer, nullptr);
  }
  struct sigaction before_{};
};

TEST(ReadyWithin, WaitsTheWholeTimeThroughSignals) {
  const Descriptor never(eventfd(0, 0));
  std::array waiting{pollfd{never.get(), POLLIN, 0}};
  const Interruptions signals;
  const double began_s = steady_seconds();
  EXPECT_EQ(ready_within(waiting, 0.05), 0);
  EXPECT_GE(steady_seconds() - began_s, 0.05);
  EXPECT_GE(interruptions, 2);
}

TEST(ReadyWithin, SeesWhatIsReadyWhereNoTimeIsLeft) {
  const Descriptor ready(eventfd(1, 0));
  std::array waiting{pollfd{ready.get(), POLLIN, 0}};
  EXPECT_EQ(ready_within(waiting, -1), 1);
  EXPECT_EQ(waiting[0].revents, POLLIN);
}

TEST(ReadyWithin, SaysWhatPollRefuses) {
  EXPECT_EQ(ready_within({static_cast<pollfd*>(nullptr), 1}, 0), -1);
  EXPECT_EQ(errno, EFAULT);
}

}  // namespace
}  // namespace assay::core
