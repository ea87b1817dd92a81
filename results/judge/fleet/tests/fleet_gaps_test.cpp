// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "results/judge/acceptance/acceptance.hpp"
#include "results/judge/series/fleet_doubts.hpp"
#include "results/tests/sample_records.hpp"
#include "results/tests/small_fleet.hpp"

namespace assay::results {
namespace {

using testing::HasSubstr;

TEST(FleetGaps, DoubtAPointThatWasMeasuredAndIsCalledUnsupportedInOneRun) {
  const test::TemporaryFolder folder;
  Store store(folder / "store.db");
  bool first = true;
  for (std::vector<Record>& run : test::small_fleet(1.0)) {
    for (Record& record : run) {
      if (auto* point = std::get_if<PointRecord>(&record);
          point != nullptr && point->run_id.starts_with("round3-h4") && std::exchange(first, false)) {
        point->status = Status::unsupported;
        point->reason = "no driver";
      }
    }
    store.add(run);
  }
  const MeasuredFleet measured = read_fleet(store, "", {}).at(0);
  ASSERT_EQ(measured.doubted.size(), 1U);
  EXPECT_EQ(measured.doubted[0].unit, "h4");
  EXPECT_THAT(doubt_text(measured.doubted[0]),
              HasSubstr("called unsupported, and measured by the same unit"));
  EXPECT_EQ(accept(measured, {}).verdict(), Verdict::inconclusive);
}

TEST(FleetGaps, CountAPeerOfALinkThatMeasuredNothingAsUnmeasured) {
  const test::TemporaryFolder folder;
  Store store(folder / "store.db");
  for (std::vector<Record>& run : test::small_fleet(1.0)) {
    for (Record& record : run) {
      if (auto* point = std::get_if<PointRecord>(&record);
          point != nullptr && point->run_id.ends_with("h4")) {
        point->conditions.emplace_back("host", std::string("h4"));
        point->conditions.emplace_back("rank1_host", std::string("h99"));
      }
    }
    store.add(run);
  }
  FleetPlaces places{.levels = {"rack"}, .of_host = {{"h99", {"r"}}}};
  for (int host = 0; host < 10; ++host) places.of_host["h" + std::to_string(host)] = {"r"};
  const auto fleets = read_fleet(store, "", places);
  EXPECT_THAT(fleets.at(0).missing,
              testing::Contains(testing::Property(&FleetIssue::text, "h99: nothing was measured")));
}

/// Two hosts of four GPUs, one metric; `left_out` of the second of two runs.
std::vector<FleetIssue> gaps_without(const std::set<std::uint32_t>& left_out) {
  Fleet fleet;
  fleet.metrics = {{"copy", "memory", false}};
  fleet.levels = {"host"};
  for (int unit = 0; unit < 8; ++unit)
    fleet.units.push_back({"h" + std::to_string(unit / 4) + "/gpu" + std::to_string(unit % 4),
                           "x",
                           {"h" + std::to_string(unit / 4)}});
  FleetRunValues runs(2);
  for (std::uint32_t unit = 0; unit < 8; ++unit) {
    runs[0].push_back({0, unit, 1e-3});
    if (!left_out.contains(unit)) runs[1].push_back({0, unit, 1e-3});
  }
  return left_out_of_runs(fleet, runs);
}

TEST(FleetGaps, NameAUnitThatARunOfItsHostLeftOut) {
  EXPECT_TRUE(gaps_without({}).empty());
  EXPECT_THAT(gaps_without({5}),
              testing::ElementsAre(testing::Property(
                  &FleetIssue::text, "h1/gpu1: not measured in 1 run that measured others of its host")));
  EXPECT_TRUE(gaps_without({4, 5, 6}).empty()) << "a run of one GPU was meant for that one";
  EXPECT_TRUE(gaps_without({4, 5, 6, 7}).empty()) << "a host that was not in that run";
}

}  // namespace
}  // namespace assay::results
