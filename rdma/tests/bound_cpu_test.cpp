// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/traffic/bound_cpu.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <set>

#include "harness/core/error.hpp"
#include "rdma/tests/fake_verbs.hpp"
#include "rdma/traffic/settings.hpp"

namespace assay::rdma {
namespace {

cpu_set_t mask() {
  cpu_set_t set;
  sched_getaffinity(0, sizeof set, &set);
  return set;
}

int cpus() {
  const cpu_set_t set = mask();
  return CPU_COUNT(&set);
}

std::set<int> cpus_of_ranks(int ranks) {
  std::set<int> found;
  for (int index = 0; index < ranks; ++index) found.insert(near_cpu_of(index, ranks, -1));
  return found;
}

TEST(NearCpu, IsAnotherOneForEachRankOfAMachine) {
  const std::set<int> found = cpus_of_ranks(cpus());
  EXPECT_EQ(found.size(), static_cast<std::size_t>(cpus()));
  EXPECT_FALSE(found.contains(-1));
}

TEST(NearCpu, LeavesTheFirstToInterruptsWhereThereAreEnough) {
  if (cpus() < 2) GTEST_SKIP() << "one CPU only";
  const std::set<int> fewer = cpus_of_ranks(cpus() - 1);
  EXPECT_EQ(fewer.size(), static_cast<std::size_t>(cpus() - 1));
  EXPECT_FALSE(fewer.contains(host::choose_cpus(1, -1).front()));
}

TEST(NearCpu, IsNoneWhereRanksOutnumberCpus) {
  EXPECT_EQ(cpus_of_ranks(cpus() + 1), std::set<int>{-1});
  EXPECT_EQ(near_cpu_of(0, 1, 1000), -1);
}

TEST(BoundCpu, BindsTheThreadAndFreesItAgain) {
  const fake::FakeVerbs verbs;
  const Device device("auto");
  const int before = cpus();
  {
    const BoundCpu bound(near_cpu, device, {"here"}, 0);
    ASSERT_GE(bound.cpu(), 0);
    const cpu_set_t set = mask();
    EXPECT_EQ(CPU_COUNT(&set), 1);
    EXPECT_TRUE(CPU_ISSET(static_cast<std::size_t>(bound.cpu()), &set));
  }
  EXPECT_EQ(cpus(), before);
}

TEST(BoundCpu, CountsTheRanksOfItsOwnMachineOnly) {
  const fake::FakeVerbs verbs;
  const Device device("auto");
  const BoundCpu first(near_cpu, device, {"here", "there", "there"}, 0);
  EXPECT_EQ(first.cpu(), near_cpu_of(0, 1, -1));
}

TEST(BoundCpu, OfAnyBindsNothing) {
  const fake::FakeVerbs verbs;
  const Device device("auto");
  const int before = cpus();
  EXPECT_EQ(BoundCpu(any_cpu, device, {"here"}, 0).cpu(), -1);
  EXPECT_EQ(cpus(), before);
}

TEST(BoundCpu, AskedForByANumberThatIsNotThereIsAnError) {
  const fake::FakeVerbs verbs;
  const Device device("auto");
  EXPECT_THROW(BoundCpu(4000, device, {"here"}, 0), core::Error);
}

TEST(ThisMachine, HasAName) { EXPECT_EQ(this_machine().size(), 36U); }

}  // namespace
}  // namespace assay::rdma
