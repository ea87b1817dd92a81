// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// memory.host.fill as a plan sees it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memory/tests/cases_named.hpp"
#include "memory/tests/only_arena.hpp"

namespace assay::memory {
namespace {

using enum core::Verification::Result;
using testing::HasSubstr;

core::Case fill() { return tests::cases_named("memory.host.fill").front(); }

core::Point small_fill(const char* by, std::int64_t bytes = 1 << 20) {
  core::Point point = core::sweep(fill().axes).front();
  return point.set("by", by)
      .set("bytes", bytes)
      .set("threads", std::int64_t{1})
      .set("numa", std::int64_t{-1});
}

TEST(Fill, LeavesTheLastValueInEveryByteByEitherWay) {
  for (const char* by : {"memset", "nontemporal"}) {
    const auto trial = fill().prepare(small_fill(by));
    EXPECT_EQ(trial->verify().result, not_checked) << by;
    EXPECT_GT(trial->run(3).seconds, 0) << by;
    trial->run(200);  // past the point where values repeat
    const core::Verification verdict = trial->verify();
    EXPECT_EQ(verdict.result, right) << by << ": " << verdict.why;
    EXPECT_THAT(verdict.why, HasSubstr("all 1048576 bytes hold the value of the last of 203 fills"));
  }
}

TEST(Fill, FindsOneWrongByteWhereverItIs) {
  for (const char* by : {"memset", "nontemporal"})
    for (const std::size_t at : {std::size_t{0}, std::size_t{12345}, (std::size_t{1} << 20) - 1}) {
      const auto trial = fill().prepare(small_fill(by));
      trial->run(3);
      ASSERT_EQ(trial->verify().result, right);
      std::byte& damaged = tests::only_arena()[at];
      damaged ^= std::byte{0x10};
      const core::Verification verdict = trial->verify();
      EXPECT_EQ(verdict.result, wrong) << by;
      EXPECT_EQ(verdict.why, "byte " + std::to_string(at) + " is 20, expected 4") << by;
      trial->run(1);
      EXPECT_EQ(trial->verify().result, right) << "filled again";
    }
}

TEST(Fill, CountsTheWholePagesOfEachThread) {
  core::Point point = small_fill("memset", 3 * 4096 + 100);
  EXPECT_EQ(fill().work(point).bytes, 3 * 4096);
  point.set("threads", std::int64_t{2});
  EXPECT_EQ(fill().work(point).bytes, 2 * 4096);
}

TEST(Fill, RefusesThreadsWithoutAPage) {
  EXPECT_THAT(
      fill().unsupported(small_fill("memset", 4095)),
      testing::Optional(std::string("bytes=4095: 1 threads need at least a page of 4096 bytes each")));
}

}  // namespace
}  // namespace assay::memory
