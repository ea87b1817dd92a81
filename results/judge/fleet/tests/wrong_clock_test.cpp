// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/judge/acceptance/acceptance.hpp"
#include "results/tests/synthetic/patterned_fleet.hpp"

namespace assay::results {
namespace {

using testing::ElementsAre, testing::HasSubstr, testing::IsEmpty;

/// Sixteen hosts; the times of h3 take these factors.
std::vector<std::string> clocks_where(const char* group, double copy, double read) {
  const auto factor = [&](int host, int, int metric) { return host != 3 ? 1 : metric == 0 ? copy : read; };
  std::vector<std::string> clocks;
  for (const FleetClock& one : test::judged(test::patterned_in(16, 5, group, factor)).wrong_clocks)
    clocks.push_back(one.place + ": " + clock_text(one));
  return clocks;
}

TEST(WrongClock, IsThatOfAHostWhosePointsAreAllFasterByOneFactor) {
  EXPECT_THAT(clocks_where("gemm", 0.97, 0.97),
              ElementsAre(HasSubstr("% faster than its equals in all of its 2 points")));
}

TEST(WrongClock, IsNoneWhereOnePointIsAsFastAsItsEquals) {
  EXPECT_THAT(clocks_where("gemm", 0.95, 1), IsEmpty());
}

TEST(WrongClock, IsSuspectedWhereOnePointIsTwiceAsFast) {
  EXPECT_THAT(clocks_where("gemm", 0.03, 1),
              ElementsAre(HasSubstr("% faster than its equals in 1 of its 2 points")));
  EXPECT_THAT(clocks_where("gemm", 0.55, 1), IsEmpty());
}

TEST(WrongClock, IsNoneWhereTheFactorsDiffer) { EXPECT_THAT(clocks_where("gemm", 0.90, 0.97), IsEmpty()); }

TEST(WrongClock, IsNoneWherePointsOfOneGroupAreFasterByAsMuchAsHostsDiffer) {
  EXPECT_THAT(clocks_where("memory", 0.97, 0.97), IsEmpty());
  EXPECT_THAT(clocks_where("memory", 0.94, 0.94), testing::SizeIs(1));
}

TEST(WrongClock, IsThatOfAHostThatIsTwiceAsFast) {
  EXPECT_THAT(clocks_where("gemm", 0.3, 0.5), testing::SizeIs(1));
}

}  // namespace
}  // namespace assay::results
