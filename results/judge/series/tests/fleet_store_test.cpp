// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/series/fleet_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "results/judge/acceptance/acceptance.hpp"
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
  for (std::vector<Record>& run : test::small_fleet(1.05)) {
    for (Record& record : run) {
      if (auto* context = std::get_if<ContextRecord>(&record))
        context->environment["ASSAY_BURN_IN"] =
            context->run_id.starts_with(together) ? "b round 2 together" : "b round 3 turn";
      if (auto* point = std::get_if<PointRecord>(&record); point != nullptr && std::exchange(first, false)) {
        point->status = status_of_first_point;
        point->reason = "made up";
      }
    }
    store.add(run);
  }
  return read_fleet(store, "", {}).at(0);
}

TEST(FleetOfAStore, KeepsWhatABurnInMeasuredTogetherApartAndSaysHowMuch) {
  const MeasuredFleet measured = fleet_of_a_burn_in("round1-");
  EXPECT_EQ(measured.together, 40U);
  EXPECT_EQ(measured.again.size(), 1U) << "three rounds, one of them together";
  const FleetAcceptance judged = accept(measured, {});
  EXPECT_EQ(judged.verdict(), Verdict::inconclusive) << "one fresh measurement is not enough";
  EXPECT_THAT(to_table(judged).notes,
              testing::Contains(HasSubstr("40 points of a burn-in's rounds together")));
}

/// Three rounds alone, in which all are equal, and three together, in which h3 takes `slow` times as long.
FleetAcceptance accepted_under_load(double slow) {
  const test::TemporaryFolder folder;
  Store store(folder / "store.db");
  const auto add = [&store](std::vector<std::vector<Record>> runs, const char* round) {
    for (std::vector<Record>& run : runs) {
      for (Record& record : run) {
        if (auto* context = std::get_if<ContextRecord>(&record))
          context->environment["ASSAY_BURN_IN"] = round;
      }
      store.add(run);
    }
  };
  add(test::small_fleet(), "b round 3 turn");
  add(test::small_fleet(slow, 4, 1.5e-3), "b round 2 together");
  return accept(read_fleet(store, "", {}).at(0), {});
}

TEST(FleetOfAStore, IsOpenWhereAUnitIsSlowerThanItsEqualsUnderLoadOnly) {
  const FleetAcceptance judged = accepted_under_load(1.2);
  EXPECT_EQ(judged.judged.findings.size(), 0U) << "alone it is as fast as they are";
  EXPECT_EQ(judged.verdict(), Verdict::inconclusive);
  const Verdicts verdicts = verdicts_of(judged);
  const auto row = std::ranges::find(verdicts.rows, "all of memory under load", &VerdictRow::metric);
  ASSERT_NE(row, verdicts.rows.end());
  EXPECT_EQ(row->unit, "h3");
  EXPECT_EQ(row->verdict, Verdict::inconclusive);
  EXPECT_THAT(row->because, HasSubstr("slower than its equals in 3 runs, at least"));
}

TEST(FleetOfAStore, IsNotHeldAgainstTheMarginUnderLoad) {
  for (const double slow : {1.0, 1.04}) {
    const FleetAcceptance judged = accepted_under_load(slow);
    EXPECT_EQ(judged.measured.together, 120U);
    EXPECT_TRUE(judged.slow_under_load.empty()) << slow;
    EXPECT_EQ(judged.verdict(), Verdict::pass) << slow;
  }
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

/// The metrics, units and values of a fleet, in the order in which it has them.
std::string text_of(const MeasuredFleet& measured) {
  std::string text;
  for (const FleetMetric& metric : measured.first.metrics) text += metric.name + "\n";
  for (const FleetUnit& unit : measured.first.units) text += unit.name + "\n";
  for (const double value : measured.first.values) text += std::to_string(value) + " ";
  for (const Fleet& again : measured.again)
    for (const double value : again.values) text += std::to_string(value) + " ";
  return text;
}

/// The small fleet with the records of each run as `mix` orders them.
template <class Mix>
std::string text_of_mixed(const std::filesystem::path& path, const Mix& mix) {
  Store store(path);
  std::vector<std::vector<Record>> runs = test::small_fleet(1.05);
  for (std::vector<Record>& run : runs) {
    mix(run);
    store.add(run);
  }
  return text_of(read_fleet(store, "", {}).at(0));
}

// A journal that was repaired in between leaves points behind others that were measured later.
TEST(FleetOfAStore, IsTheSameInWhateverOrderItsPointsCame) {
  const test::TemporaryFolder folder;
  const std::string in_order = text_of_mixed(folder / "in_order.db", [](const auto&) {});
  EXPECT_THAT(in_order, HasSubstr("h9"));
  const auto reversed = [](auto& run) { std::reverse(run.begin(), run.end()); };
  EXPECT_EQ(text_of_mixed(folder / "reversed.db", reversed), in_order);
  const auto swapped = [](auto& run) {
    const auto point = std::ranges::find_if(
        run, [](const Record& record) { return std::holds_alternative<PointRecord>(record); });
    std::swap(*(point + 1), *(point + 2));  // the first and the last stay where they are
  };
  EXPECT_EQ(text_of_mixed(folder / "swapped.db", swapped), in_order);
  EXPECT_EQ(text_of_mixed("", [](const auto&) {}), in_order) << "a store of this process only";
}

TEST(FleetOfAStore, HoldsPointsOfRunsThatCameMixed) {
  const test::TemporaryFolder folder;
  const std::string in_order = text_of_mixed(folder / "in_order.db", [](const auto&) {});
  Store store(folder / "mixed.db");
  const std::vector<std::vector<Record>> runs = test::small_fleet(1.05);
  for (std::size_t number = 0; number < runs.front().size(); ++number)
    for (const std::vector<Record>& run : runs) store.add(run.at(number));
  EXPECT_EQ(text_of(read_fleet(store, "", {}).at(0)), in_order);
}

}  // namespace
}  // namespace assay::results
