// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/host/pinned_threads.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>

#include <atomic>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <thread>

#include "harness/core/error.hpp"
#include "harness/core/tests/eventually.hpp"

namespace assay::host {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

std::vector<int> allowed_cpus() {
  cpu_set_t set;
  sched_getaffinity(0, sizeof set, &set);
  std::vector<int> cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
  return cpus;
}

int up_to_four() { return std::min(4, static_cast<int>(allowed_cpus().size())); }

int threads_that_work() {
  int count = 0;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task"))
    count += core::tests::state_of_thread(std::stoi(thread.path().filename().string())) == 'R';
  return count;
}

double cpu_s(int of_whom) {
  rusage usage{};
  getrusage(of_whom, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

double process_cpu_s() { return cpu_s(RUSAGE_SELF); }
double own_cpu_s() { return cpu_s(RUSAGE_THREAD); }

TEST(PinnedThreads, EveryRankRunsOnceOnItsOwnCpu) {
  const std::vector<int> cpus = choose_cpus(up_to_four(), -1);
  PinnedThreads threads(cpus);
  ASSERT_EQ(threads.size(), static_cast<int>(cpus.size()));
  for (int round = 0; round < 100; ++round) {
    std::vector<int> ran_on(cpus.size(), -1);
    threads.run([&](int rank) { ran_on[static_cast<std::size_t>(rank)] = sched_getcpu(); });
    ASSERT_EQ(ran_on, cpus) << "round " << round;
  }
}

TEST(PinnedThreads, TheCallerActsAsRankZeroAndGetsItsBindingBack) {
  const std::vector<int> before = allowed_cpus();
  {
    PinnedThreads threads({before.back()});
    std::thread::id ran_by;
    threads.run([&](int) { ran_by = std::this_thread::get_id(); });
    EXPECT_EQ(ran_by, std::this_thread::get_id());
    EXPECT_EQ(allowed_cpus(), std::vector<int>{before.back()});
  }
  EXPECT_EQ(allowed_cpus(), before);
}

TEST(PinnedThreads, TheTimeIsThatOfTheSlowestRank) {
  PinnedThreads threads(choose_cpus(up_to_four(), -1));
  const int slow = threads.size() - 1;
  const double seconds = threads.run([&](int rank) {
    if (rank == slow) core::tests::work_for(0.02);
  });
  EXPECT_GE(seconds, 0.020);
  EXPECT_LT(seconds, 2.0);
}

TEST(PinnedThreads, WhatABodyThrowsReachesTheCallerAndTheCrewGoesOn) {
  PinnedThreads threads(choose_cpus(up_to_four(), -1));
  const int last = threads.size() - 1;
  const auto failing = [&] {
    threads.run([&](int rank) {
      if (rank == last) throw std::runtime_error("rank failed");
    });
  };
  EXPECT_THAT(failing, ThrowsMessage<std::runtime_error>("rank failed"));
  std::atomic<int> ran{0};
  threads.run([&](int) { ++ran; });
  EXPECT_EQ(ran, threads.size());
}

TEST(PinnedThreads, AnIdleCrewParks) {
  PinnedThreads threads(choose_cpus(up_to_four(), -1));
  threads.run([](int) {});
  EXPECT_TRUE(core::tests::eventually([] { return threads_that_work() == 1; })) << "the caller alone";
  const double before = process_cpu_s() - own_cpu_s();
  for (const double end_s = own_cpu_s() + 0.2; own_cpu_s() < end_s;) continue;
  EXPECT_LT(process_cpu_s() - own_cpu_s() - before, 0.05);
  std::atomic<int> ran{0};
  threads.run([&](int) { ++ran; });
  EXPECT_EQ(ran, threads.size());
}

TEST(PinnedThreads, ABindingToACpuThatIsNotThereIsRefusedByName) {
  const std::vector<int> before = allowed_cpus();
  EXPECT_THAT([] { PinnedThreads threads({1023}); },
              ThrowsMessage<core::Error>(HasSubstr("bind a thread to CPU 1023")));
  EXPECT_THAT([&] { PinnedThreads threads({before.front(), 1023}); },
              ThrowsMessage<core::Error>(HasSubstr("bind a thread to CPU 1023")));
  EXPECT_THAT([] { PinnedThreads threads({-1}); }, ThrowsMessage<core::Error>(HasSubstr("CPU -1")));
  EXPECT_THAT([] { PinnedThreads threads({}); }, ThrowsMessage<core::Error>(HasSubstr("at least one CPU")));
  EXPECT_EQ(allowed_cpus(), before);
}

TEST(ChooseCpus, GivesDistinctCpusThatThisProcessMayUse) {
  const std::vector<int> allowed = allowed_cpus();
  const std::vector<int> chosen = choose_cpus(static_cast<int>(allowed.size()), -1);
  EXPECT_EQ(std::set<int>(chosen.begin(), chosen.end()), std::set<int>(allowed.begin(), allowed.end()));
  EXPECT_EQ(chosen.size(), allowed.size());
}

TEST(ChooseCpus, RefusesMoreThanThereAreAndSaysHowManyThereAre) {
  EXPECT_THAT([] { choose_cpus(100000, -1); },
              ThrowsMessage<core::Error>(
                  AllOf(HasSubstr("100000 threads asked for"), HasSubstr("this machine has"))));
  EXPECT_THAT([] { choose_cpus(0, -1); }, ThrowsMessage<core::Error>(HasSubstr("expected at least 1")));
  EXPECT_THAT([] { choose_cpus(1, 999); }, ThrowsMessage<core::Error>("this machine has no NUMA node 999"));
}

}  // namespace
}  // namespace assay::host
