// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/host/host_counters.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <thread>

#include "harness/core/tests/eventually.hpp"
#include "harness/host/host_site.hpp"

namespace assay::host {
namespace {

std::map<std::string, double> by_name(const std::vector<core::Fact>& facts) {
  std::map<std::string, double> values;
  for (const auto& [name, value] : facts) {
    if (const auto* whole = std::get_if<std::int64_t>(&value)) values[name] = static_cast<double>(*whole);
    if (const auto* real = std::get_if<double>(&value)) values[name] = *real;
  }
  return values;
}

class ProcFiles : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(root_ + "/proc"); }
  void TearDown() override { std::filesystem::remove_all(root_); }
  std::string root_ = ::testing::TempDir() + "host_counters_" +
                      ::testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(ProcFiles, StealIsTheEighthNumberOfTheCpuLine) {
  std::ofstream(root_ + "/proc/stat") << "cpu  100 20 30 4000 500 6 7 80 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n";
  const auto time = read_cpu_time(root_);
  ASSERT_TRUE(time);
  EXPECT_DOUBLE_EQ(time->busy_s, 1.63);
  EXPECT_DOUBLE_EQ(time->steal_s, 0.80);
}

TEST_F(ProcFiles, AnUnreadableStatTellsNothing) {
  EXPECT_FALSE(read_cpu_time(root_));
  std::ofstream(root_ + "/proc/stat") << "intr 5\n";
  EXPECT_FALSE(read_cpu_time(root_));
}

TEST_F(ProcFiles, TheClockIsThatOfTheAskedCpu) {
  std::ofstream(root_ + "/proc/cpuinfo")
      << "processor\t: 0\ncpu MHz\t\t: 1000.5\n\nprocessor\t: 1\ncpu MHz\t\t: 2000.25\n";
  EXPECT_EQ(read_cpu_mhz(1, root_), 2000.25);
  EXPECT_FALSE(read_cpu_mhz(2, root_));
  std::filesystem::create_directories(root_ + "/sys/devices/system/cpu/cpu1/cpufreq");
  std::ofstream(root_ + "/sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq") << "3100000\n";
  EXPECT_EQ(read_cpu_mhz(1, root_), 3100.0);
}

TEST(HostCounters, CountsAWaitAsAVoluntarySwitch) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t waker = fork();
  if (waker == 0) {  // a process of its own: its waits do not count
    core::tests::eventually_waits(getppid(), getppid());
    _exit(write(ends[1], "!", 1) == 1 ? 0 : 1);
  }
  HostCounters counters;
  counters.begin();
  char byte = 0;
  EXPECT_EQ(read(ends[0], &byte, 1), 1);
  counters.end();
  waitpid(waker, nullptr, 0);
  for (const int end : ends) close(end);
  const auto facts = by_name(counters.facts());
  EXPECT_GE(facts.at("voluntary_context_switches"), 1);
  EXPECT_GE(facts.at("steal_s"), 0);
  EXPECT_GE(facts.at("other_processes_cpu_s"), 0);
}

class Worker {
 public:
  using Site = HostSite;
  struct Settings {
    HostPlace place;
  };
  Worker(const Settings&, HostSite& site) : site_(site) {}
  double enqueue(std::int64_t iterations) {
    return site_.threads.run([=](int) { core::tests::work_for(1e-3 * static_cast<double>(iterations)); });
  }
  core::Verification check() { return {.result = core::Verification::Result::right, .why = "worked"}; }
  std::vector<core::Fact> facts() { return {{"mattress", std::string("hard")}}; }

 private:
  HostSite& site_;
};

TEST(HostSite, JoinsABenchmarkWithTheHost) {
  core::BenchmarkTrial<Worker> trial({});
  trial.sampling_begins();
  EXPECT_GE(trial.run(3).seconds, 0.003);
  trial.sampling_ends();
  EXPECT_EQ(trial.verify().result, core::Verification::Result::right);
  bool found = false;
  for (const auto& [name, value] : trial.facts()) found |= name == "mattress";
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace assay::host
