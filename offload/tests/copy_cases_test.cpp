// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/copy/copy_cases.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/core/tests/message_of.hpp"
#include "harness/cuda/device.hpp"
#include "offload/copy/host_link.hpp"
#include "offload/copy/host_memory.hpp"

namespace assay::offload {
namespace {

using core::Point;
using core::Value;
using core::tests::message_of;
using testing::Optional;

core::Case copy() { return copy_cases(machine::Machine{}).front(); }

Point point(const char* direction, const char* by, const char* memory) {
  return {{"gpu", Value(std::int64_t{0})},
          {"numa", Value(std::int64_t{-1})},
          {"bytes", Value(std::int64_t{65536})},
          {"direction", Value(direction)},
          {"by", Value(by)},
          {"memory", Value(memory)},
          {"blocks", Value(std::int64_t{4})}};
}

TEST(CopyCases, SweepEveryNodeThatHasMemoryAndProcessors) {
  machine::Machine machine;
  machine.numa.resize(3);
  for (int id = 0; id < 3; ++id) machine.numa[static_cast<std::size_t>(id)].id = id;
  machine.numa[0].bytes = machine.numa[1].bytes = machine.numa[2].bytes = 1;
  machine.numa[0].cpus = {0};
  machine.numa[1].cpus = {1};
  const core::Case benchmark = copy_cases(machine).front();
  const auto numa = std::ranges::find(benchmark.axes, "numa", &core::Axis::name);
  ASSERT_NE(numa, benchmark.axes.end());
  EXPECT_EQ(numa->values, (std::vector<Value>{std::int64_t{0}, std::int64_t{1}}));
}

TEST(CopyCases, CountBothWaysOfACopyBothWays) {
  EXPECT_EQ(copy().work(point("h2d", "engine", "pinned")).bytes, 65536);
  EXPECT_EQ(copy().work(point("both", "engine", "pinned")).bytes, 131072);
}

TEST(CopyCases, SayWhatPageableMemoryCannotDo) {
  EXPECT_THAT(copy().unsupported(point("h2d", "sm", "pageable")),
              Optional(testing::HasSubstr("no kernel addresses it")));
  EXPECT_THAT(copy().unsupported(point("both", "engine", "pageable")),
              Optional(testing::HasSubstr("one way after the other")));
}

TEST(CopyCases, SayInTheDriversWordsWhyTheyCannotRun) {
  if (!cuda::device_unavailable()) GTEST_SKIP() << "this machine has a GPU: the refusal cannot be seen here";
  EXPECT_EQ(copy().unsupported(point("h2d", "engine", "pinned")), cuda::device_unavailable());
}

TEST(CopyCases, OfOddBytesBlocksOrMemoryAreRefused) {
  Point odd = point("h2d", "engine", "pinned");
  odd.set("bytes", Value(std::int64_t{100}));
  EXPECT_EQ(message_of([&] { copy().work(odd); }), "bytes=100: expected a multiple of 16");
  odd = point("h2d", "sm", "pinned");
  odd.set("blocks", Value(std::int64_t{0}));
  EXPECT_EQ(message_of([&] { copy().work(odd); }), "blocks=0: expected 1 to 4096");
  EXPECT_EQ(message_of([] { memory_kind_from("paged"); }),
            "memory=paged: expected one of pinned, write_combined, registered, huge, pageable");
}

TEST(HostLink, CarriesWhatItsLanesDoLessTheLineCode) {
  EXPECT_THAT((HostLink{5, 16}.ceiling_gb_per_s()), Optional(testing::DoubleNear(63.015, 0.001)));
  EXPECT_THAT((HostLink{4, 16}.ceiling_gb_per_s()), Optional(testing::DoubleNear(31.508, 0.001)));
  EXPECT_THAT((HostLink{2, 8}.ceiling_gb_per_s()), Optional(4.0));
  EXPECT_EQ((HostLink{7, 16}.ceiling_gb_per_s()), std::nullopt);
  EXPECT_EQ((HostLink{5, 0}.ceiling_gb_per_s()), std::nullopt);
}

}  // namespace
}  // namespace assay::offload
