// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "harness/core/error.hpp"
#include "memory/host/pointer_chase.hpp"
#include "memory/host/stream.hpp"

namespace assay::memory {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Optional;
using ::testing::ThrowsMessage;

std::vector<core::Case> host_cases(const machine::Machine& machine) {
  std::vector<core::Case> all = stream_cases(machine);
  all.push_back(pointer_chase_cases(machine).front());
  return all;
}

machine::Machine small_machine() {
  machine::Machine machine;
  machine.cpu.caches = {{3, "unified", 32 << 20, 64, 1}};
  return machine;
}

core::Point smallest(const core::Case& benchmark) {
  core::Point point = core::sweep(benchmark.axes).front();
  return point.set("bytes", std::int64_t{96 * 1024}).set("numa", std::int64_t{-1});
}

TEST(HostCases, AreTheAgreedNames) {
  std::vector<std::string> names;
  for (const core::Case& benchmark : host_cases({})) names.push_back(benchmark.name);
  EXPECT_THAT(names,
              ElementsAre("memory.host.read", "memory.host.write", "memory.host.copy", "memory.host.scale",
                          "memory.host.add", "memory.host.triad", "memory.host.latency"));
}

TEST(HostCases, DeclareWorkAndItsCountForEveryDefaultPoint) {
  for (const core::Case& benchmark : host_cases(small_machine()))
    for (const core::Point& point : core::sweep(benchmark.axes)) {
      const core::Work work = benchmark.work(point);
      EXPECT_GT(work.bytes, 0) << benchmark.name << ' ' << point.key();
      EXPECT_FALSE(work.bytes_counted.empty()) << benchmark.name;
      EXPECT_FALSE(benchmark.measures.empty());
    }
}

TEST(HostCases, DefaultToArraysOfFourTimesTheLastLevelCaches) {
  for (const core::Case& benchmark : host_cases(small_machine())) {
    if (benchmark.headline != core::Headline::bandwidth_gb_per_s) continue;
    const core::Point point = core::sweep(benchmark.axes).front();
    EXPECT_EQ(point.integer("bytes"), 384 << 20);
    EXPECT_THAT(benchmark.derived(point), ElementsAre(core::Fact("cache_state", std::string("cold"))));
  }
}

TEST(HostCases, LatencyClimbsFrom4KiBToFourTimesTheLastLevelCaches) {
  const core::Axis bytes = host_cases(small_machine()).back().axes.front();
  EXPECT_EQ(std::get<std::int64_t>(bytes.values.front()), 4096);
  EXPECT_EQ(std::get<std::int64_t>(bytes.values.back()), 256 << 20);
}

TEST(HostCases, RunAndVerifyAtASmallPoint) {
  for (const core::Case& benchmark : host_cases({})) {
    const core::Point point = smallest(benchmark);
    ASSERT_EQ(benchmark.unsupported(point), std::nullopt) << benchmark.name;
    const std::unique_ptr<core::Trial> trial = benchmark.prepare(point);
    trial->sampling_begins();
    EXPECT_GT(trial->run(3).seconds, 0) << benchmark.name;
    trial->sampling_ends();
    const core::Verification verification = trial->verify();
    EXPECT_EQ(verification.result, core::Verification::Result::right)
        << benchmark.name << ": " << verification.why;
    std::set<std::string> facts;
    for (const core::Fact& fact : trial->facts()) facts.insert(fact.first);
    EXPECT_TRUE(facts.contains("huge_page_bytes")) << benchmark.name;
    EXPECT_TRUE(facts.contains("cpus")) << benchmark.name;
  }
}

TEST(HostCases, RefuseAPointTooSmallToDivide) {
  const core::Case copy = host_cases({})[2];
  core::Point point = smallest(copy);
  point.set("bytes", std::int64_t{1000}).set("threads", std::int64_t{1});
  EXPECT_THAT(copy.unsupported(point),
              Optional(std::string("bytes=1000: 2 arrays on 1 threads need at least 1024 bytes")));
}

TEST(HostCases, MoreMemoryThanThereIsIsOneClearError) {
  const core::Case copy = host_cases({})[2];
  core::Point point = smallest(copy);
  point.set("bytes", std::int64_t{1} << 55);
  EXPECT_THAT([&] { copy.prepare(point); }, ThrowsMessage<core::Error>(HasSubstr("of memory asked for")));
}

}  // namespace
}  // namespace assay::memory
