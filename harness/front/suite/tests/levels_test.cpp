// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/suite/burn_in/levels.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/core/error.hpp"
#include "harness/plan/built_in.hpp"

namespace assay::suite {
namespace {

using testing::HasSubstr;

std::string said(const std::function<void()>& act) {
  try {
    act();
  } catch (const core::Error& error) {
    EXPECT_EQ(error.kind(), core::ErrorKind::usage);
    return error.what();
  }
  return "";
}

TEST(Levels, GrowFromMinutesToHours) {
  double before = 0;
  for (const Level& level : levels()) {
    EXPECT_GT(level.minutes, before) << level.name;
    before = level.minutes;
  }
  EXPECT_EQ(levels().size(), 4U);
}

TEST(Levels, AreOfAPlanThatIsBuiltIn) {
  BurnInOptions options;
  take_level(find_level("medium"), options);
  EXPECT_TRUE(std::ranges::any_of(plan::built_in,
                                  [&](const plan::BuiltIn& one) { return one.name == options.run.plan; }));
  EXPECT_EQ(options.end.rounds, 1);
  EXPECT_EQ(options.end.for_s, 15 * 60);
  EXPECT_THAT(options.run.filters, testing::Contains("gemm.cuda.power_ramp"));
}

TEST(Levels, ReadMemoryBandwidthAndPowerAtEveryLevel) {
  for (const Level& level : levels()) {
    if (level.filters.empty()) continue;
    EXPECT_THAT(level.filters, testing::IsSupersetOf({"gemm.cuda.node_matmul", "memory.cuda.read"}))
        << level.name;
  }
}

TEST(Levels, OfAnUnknownNameNameTheKnownOnes) {
  EXPECT_THAT(said([] { find_level("short"); }),
              HasSubstr("'short' (expected one of quick, medium, long, extended)"));
}

TEST(Levels, DoNotGoWithAnotherPlanFilterOrEnd) {
  BurnInOptions timed, planned, filtered;
  timed.end.for_s = 60;
  planned.run.plan = "full";
  filtered.run.filters = {"gemm.*"};
  for (BurnInOptions* options : {&timed, &planned, &filtered})
    EXPECT_THAT(said([&] { take_level(find_level("quick"), *options); }), HasSubstr("expected no --plan"));
}

TEST(Levels, SayBeforehandHowLongTheyTake) {
  EXPECT_EQ(announcement(find_level("quick"), {.points = 21, .budget_s = 90}),
            "level quick: self-tests, power and memory bandwidth against their limits\n"
            "predicted  1 round of 21 points, at most 1.5 min each by their budgets; no point begins after 3 "
            "min\n");
}

}  // namespace
}  // namespace assay::suite
