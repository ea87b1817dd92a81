// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/fleet_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/judge/acceptance.hpp"
#include "results/tests/sample_records.hpp"
#include "results/tests/small_fleet.hpp"

namespace assay::results {
namespace {

using testing::HasSubstr;

/// The small fleet, of a burn-in that ran two modules together in those rounds ("round1-": the first).
MeasuredFleet fleet_of_a_burn_in(const std::string& together, Status status_of_first_point = Status::ok) {
  const test::TemporaryFolder folder;
  Store store(folder / "store.db");
  bool first = true;
  for (std::vector<Record>& run : test::small_fleet(1.05))
    for (Record& record : run) {
      if (auto* context = std::get_if<ContextRecord>(&record))
        context->environment["ASSAY_BURN_IN"] =
            context->run_id.starts_with(together) ? "b round 2 together" : "b round 3 turn";
      if (auto* point = std::get_if<PointRecord>(&record); point != nullptr && std::exchange(first, false)) {
        point->status = status_of_first_point;
        point->reason = "made up";
      }
      store.add(record);
    }
  return read_fleet(store, "", {}).at(0);
}

TEST(FleetOfAStore, LeavesOutWhatABurnInMeasuredTogetherAndSaysHowMuch) {
  const MeasuredFleet measured = fleet_of_a_burn_in("round1-");
  EXPECT_EQ(measured.together, 40U);
  EXPECT_EQ(measured.again.size(), 1U) << "three rounds, one of them together";
  const FleetAcceptance judged = accept(measured, {});
  EXPECT_EQ(judged.verdict(), Verdict::inconclusive) << "one fresh measurement is not enough";
  EXPECT_THAT(to_table(judged).notes,
              testing::Contains(HasSubstr("40 points of a burn-in's rounds together")));
}

TEST(FleetOfAStore, CountsWhatFailedTogether) {
  const MeasuredFleet measured = fleet_of_a_burn_in("round1-", Status::wrong);
  EXPECT_EQ(measured.together, 39U);
  ASSERT_EQ(measured.failed.size(), 1U);
  EXPECT_EQ(measured.failed[0].reason, "wrong: made up");
  EXPECT_EQ(accept(measured, {}).verdict(), Verdict::fail);
}

TEST(FleetOfAStore, ThatMeasuredAllTogetherIsUndecided) {
  const FleetAcceptance judged = accept(fleet_of_a_burn_in("round"), {});
  EXPECT_EQ(judged.verdict(), Verdict::not_run);
  EXPECT_NE(verdicts_of(judged).verdict, Verdict::pass);
}

}  // namespace
}  // namespace assay::results
