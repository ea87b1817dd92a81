// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/host/host_placement.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::memory {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Optional;

constexpr std::int64_t gib = std::int64_t{1} << 30;

machine::NumaNode node(int id, std::vector<int> cpus) {
  machine::NumaNode made;
  made.id = id;
  made.bytes = 100 * gib;
  made.cpus = std::move(cpus);
  return made;
}

machine::Machine two_nodes_and_an_expander() {
  machine::Machine machine;
  machine.memory.bytes = 300 * gib;
  machine.numa = {node(0, {0, 1, 2, 3}), node(1, {4, 5, 6}), node(2, {})};
  machine.cpu.caches = {{1, "data", 32 << 10, 64, 7}, {3, "unified", 32 << 20, 64, 4}};
  return machine;
}

HostSettings point(std::int64_t bytes, std::int64_t threads, std::int64_t numa, std::int64_t cpu_node) {
  return host_settings({{"bytes", bytes}, {"threads", threads}, {"numa", numa}, {"cpu_node", cpu_node}});
}

std::vector<std::int64_t> integers(const core::Axis& axis) {
  std::vector<std::int64_t> values;
  for (const core::Value& value : axis.values) values.push_back(std::get<std::int64_t>(value));
  return values;
}

TEST(Placement, AllThreadsIsWhatEveryNodeWithCpusHas) {
  EXPECT_THAT(integers(threads_axis(two_nodes_and_an_expander())), ElementsAre(1, 3));
  EXPECT_THAT(integers(numa_axis(two_nodes_and_an_expander())), ElementsAre(0, 1, 2));
}

TEST(Placement, OfAMachineNothingIsKnownOfIsLocal) {
  EXPECT_THAT(integers(numa_axis({})), ElementsAre(-1));
  EXPECT_GE(integers(threads_axis({})).size(), 1u);
}

TEST(Placement, SaysWhatIsMissing) {
  const machine::Machine machine = two_nodes_and_an_expander();
  EXPECT_EQ(cannot_place(machine, point(gib, 4, 0, -1)), std::nullopt);
  EXPECT_EQ(cannot_place(machine, point(gib, 7, -1, -1)), std::nullopt);
  EXPECT_EQ(cannot_place(machine, point(gib, 2, 2, 1)), std::nullopt)
      << "an expander's memory, node 1's threads";
  EXPECT_THAT(cannot_place(machine, point(gib, 1, 2, -1)), Optional(HasSubstr("NUMA node 2 has 0 CPUs")));
  EXPECT_THAT(cannot_place(machine, point(gib, 4, 1, -1)),
              Optional(HasSubstr("threads=4: NUMA node 1 has 3 CPUs")));
  EXPECT_THAT(cannot_place(machine, point(gib, 8, -1, -1)), Optional(HasSubstr("this machine has 7 CPUs")));
  EXPECT_THAT(cannot_place(machine, point(gib, 0, 0, -1)), Optional(HasSubstr("threads=0")));
  EXPECT_THAT(cannot_place(machine, point(gib, 1, 9, -1)),
              Optional(std::string("this machine has no NUMA node 9")));
  EXPECT_THAT(cannot_place(machine, point(gib, 1, 0, 9)),
              Optional(std::string("this machine has no NUMA node 9")));
  EXPECT_THAT(cannot_place(machine, point(101 * gib, 1, 0, -1)),
              Optional(std::string("bytes=101GiB: NUMA node 0 has 100GiB")));
  EXPECT_THAT(cannot_place(machine, point(301 * gib, 1, -1, -1)),
              Optional(std::string("bytes=301GiB: this machine has 300GiB of memory")));
}

TEST(Footprint, IsSoManyTimesTheCachesButASixteenthOfMemoryAtMost) {
  machine::Machine machine = two_nodes_and_an_expander();
  EXPECT_EQ(footprint_beyond_caches(machine, 12), 12 * (128 << 20));
  machine.cpu.caches = {{3, "unified", 508 << 20, 64, 2}};
  machine.memory.bytes = 24 * gib;
  EXPECT_EQ(footprint_beyond_caches(machine, 12), gib);
  machine.memory.limit_bytes = gib;
  EXPECT_EQ(footprint_beyond_caches(machine, 12), 256 << 20);
  EXPECT_EQ(footprint_beyond_caches({}, 12), 256 << 20);
}

TEST(CacheState, IsColdFromThreeTimesAllLastLevelCaches) {
  const machine::Machine machine = two_nodes_and_an_expander();
  EXPECT_EQ(all_last_level_caches_bytes(machine), 128 << 20);
  EXPECT_EQ(cache_state(machine, (384 << 20) - 1), "hot");
  EXPECT_EQ(cache_state(machine, 384 << 20), "cold");
  EXPECT_EQ(cache_state({}, gib), "unknown");
}

}  // namespace
}  // namespace assay::memory
