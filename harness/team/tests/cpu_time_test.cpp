// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/cpu_time.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>
#include <vector>

#include "harness/team/thread_team.hpp"

namespace assay::team {
namespace {

void work(double seconds) {
  for (const double end_s = cpu_seconds() + seconds; cpu_seconds() < end_s;) continue;
}

/// A child spends as much as the limit below: it counts neither as work of this process nor as of its
/// waiting.
void wait_while_another_process_works() {
  const pid_t other = fork();
  if (other == 0) {
    work(0.2);
    _exit(0);
  }
  waitpid(other, nullptr, 0);
}

/// At rank 0, of two ranks that are threads of this process.
double gathered_of_threads(const CpuTime& spent, bool second_takes_part) {
  auto teams = make_thread_teams(2);
  std::thread second([&] { EXPECT_EQ(spent.gathered_s(*teams[1], second_takes_part), 0); });
  const double all_s = spent.gathered_s(*teams[0], true);
  second.join();
  return all_s;
}

TEST(CpuTime, IsWhatTheProcessWorkedAndNotWhatItWaited) {
  CpuTime spent;
  spent.begins();
  work(0.05);
  wait_while_another_process_works();
  spent.ends();
  const double all_s = gathered_of_threads(spent, false);
  EXPECT_GE(all_s, 0.05);
  EXPECT_LT(all_s, 0.15);
}

TEST(CpuTime, CountsRanksOfOneProcessOnce) {
  CpuTime spent;
  spent.begins();
  work(0.05);
  spent.ends();
  EXPECT_EQ(gathered_of_threads(spent, true), gathered_of_threads(spent, false));
}

TEST(CpuTime, IsPerGigabyte) {
  EXPECT_EQ(cpu_metric(3, 0), std::nullopt);
  const auto metric = cpu_metric(3, 1.5e9);
  ASSERT_TRUE(metric);
  EXPECT_EQ(metric->name, "cpu_s_per_gb");
  EXPECT_EQ(metric->unit, "s/GB");
  EXPECT_DOUBLE_EQ(metric->value, 2);
}

}  // namespace
}  // namespace assay::team
