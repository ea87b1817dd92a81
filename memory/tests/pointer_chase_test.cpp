// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/host/pointer_chase.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "harness/core/error.hpp"

namespace assay::memory {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;
using Result = core::Verification::Result;

HostSettings chase_point(std::int64_t bytes) {
  return host_settings({{"bytes", bytes}, {"pages", std::string("base")}});
}

TEST(RandomCycle, VisitsEveryLineOnceBeforeItReturns) {
  for (const std::uint32_t count : {1u, 2u, 3u, 64u, 1000u}) {
    const std::vector<std::uint32_t> next = random_cycle(count, 7);
    std::set<std::uint32_t> visited;
    std::uint32_t at = 0;
    for (std::uint32_t step = 0; step < count; ++step) visited.insert(at = next[at]);
    EXPECT_EQ(visited.size(), count);
    EXPECT_EQ(at, 0u);
  }
}

TEST(RandomCycle, IsTheSameForTheSameSeedAndAnotherForAnother) {
  EXPECT_EQ(random_cycle(100, 1), random_cycle(100, 1));
  EXPECT_NE(random_cycle(100, 1), random_cycle(100, 2));
}

TEST(PointerChase, EndsWhereTheCycleSays) {
  host::HostSite site{host::HostPlace{}};
  PointerChase chase(chase_point(64 * 1024), site);
  EXPECT_EQ(chase.check().result, Result::not_checked);
  for (const std::int64_t loads : {1, 7, 8, 9, 5000}) EXPECT_GT(chase.enqueue(loads), 0);
  const core::Verification verification = chase.check();
  EXPECT_EQ(verification.result, Result::right) << verification.why;
  EXPECT_THAT(verification.why, HasSubstr("5025 loads"));
}

TEST(PointerChase, ALinkThatIsFlippedIsFound) {
  host::HostSite site{host::HostPlace{}};
  PointerChase chase(chase_point(4096), site);
  chase.enqueue(100);
  PointerChase::Line& line = chase.lines()[13];
  line.next = reinterpret_cast<PointerChase::Line*>(reinterpret_cast<std::uintptr_t>(line.next) ^ (1u << 20));
  const core::Verification verification = chase.check();
  EXPECT_EQ(verification.result, Result::wrong);
  EXPECT_THAT(verification.why, HasSubstr("1 of 64 links wrong, first that of line 13"));
}

TEST(PointerChase, LessThanALineIsRefused) {
  EXPECT_THAT([] { PointerChase::work(chase_point(63)); },
              ThrowsMessage<core::Error>(HasSubstr("bytes=63: expected from")));
}

}  // namespace
}  // namespace assay::memory
