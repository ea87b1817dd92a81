// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/steps/shift_sample.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "model/fabric/simulate/tests/simulated.hpp"

namespace assay::model::fabric {
namespace {

/// 24,576 ranks in racks of 16 and zones of 3,072.
int kind_of(int distance) {
  const int least = std::min(distance, 24576 - distance);
  return least <= 8 ? 0 : least <= 1536 ? 1 : 2;
}

TEST(ShiftSample, HasEveryKindAndStandsForAllShifts) {
  const ShiftSample sample = sample_shifts(24576, 64, kind_of);
  ASSERT_EQ(sample.strata.size(), 3U);
  EXPECT_EQ(sample.strata[0].all, 16);
  EXPECT_EQ(sample.strata[0].drawn, 8U);
  EXPECT_EQ(sample.strata[1].all, 2 * (1536 - 8));
  EXPECT_GE(sample.strata[1].drawn, 8U);
  double stands_for = 0;
  std::set<int> distances;
  for (std::size_t stratum = 0; stratum < 3; ++stratum)
    for (std::size_t at = 0; at < sample.strata[stratum].drawn; ++at) {
      const Shift& shift = sample.shifts[sample.strata[stratum].first + at];
      EXPECT_EQ(kind_of(shift.distance), static_cast<int>(stratum));
      distances.insert(shift.distance);
      stands_for += shift.repeats;
    }
  EXPECT_EQ(distances.size(), sample.shifts.size()) << "without replacement";
  EXPECT_NEAR(stands_for, 24575, 1e-6);
}

/// 8,192 ranks in racks of 16 and two zones: within a rack, within a zone, and across.
TEST(ShiftSample, OfAPlannedAllToAllHasAStratumOfEachTier) {
  const Scenario scenario(
      parse_fabric("preset = 'data-centre'\nzones = 2\nleaves = 256\n", "f.toml"),
      parse_workload(
          one_operation(8192, "collective = 'all_to_all'\nalgorithm = 'pairwise'\nbytes = '8MiB'\n"),
          "w.toml"));
  const OperationPlan plan = plan_operation(scenario.model(), CommonRouters(scenario.model()),
                                            scenario.workload().streams.front().operations.front(),
                                            scenario.host_of_rank(), SharingChoice::bound, 1, {});
  EXPECT_EQ(plan.exchange.strata().size(), 3U);
}

TEST(ShiftSample, OfAllShiftsHasNoError) {
  const ShiftSample all = sample_shifts(9, 64, [](int) { return 0; });
  ASSERT_EQ(all.shifts.size(), 8U);
  const std::vector<double> times = {1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_DOUBLE_EQ(half_width_of_sum(all.strata, times), 0);
}

/// The textbook's variance of the sum, by hand: 100 shifts, 4 drawn of 1, 2, 3 and 6.
TEST(ShiftSample, ErrorIsThatOfASumOfStrata) {
  const std::vector<ShiftStratum> strata = {{.all = 100, .first = 0, .drawn = 4},
                                            {.all = 2, .first = 4, .drawn = 2}};
  const std::vector<double> times = {1, 2, 3, 6, 50, 70};
  EXPECT_NEAR(half_width_of_sum(strata, times), 1.959964 * std::sqrt(100.0 * 96 * (14.0 / 3) / 4), 1e-9);
}

/// Sums of known times: intervals hold the sum in about 95 of 100 cases.
TEST(ShiftSample, IntervalHoldsTheSum) {
  int held = 0;
  for (int offset = 0; offset < 200; ++offset) {
    const auto time_us = [&](int distance) {
      return 10.0 * (1 + kind_of(distance)) + std::abs(std::sin(1.7 * distance + offset));
    };
    const ShiftSample sample = sample_shifts(24576, 64, kind_of);
    double sum = 0, estimate = 0;
    for (int distance = 1; distance < 24576; ++distance) sum += time_us(distance);
    std::vector<double> times;
    for (const Shift& one : sample.shifts) {
      times.push_back(time_us(one.distance));
      estimate += one.repeats * times.back();
    }
    held += std::abs(estimate - sum) <= half_width_of_sum(sample.strata, times) ? 1 : 0;
  }
  EXPECT_GT(held, 170);
}

TEST(ShiftSample, StandsForAnAllToAllOfManyRanks) {
  const std::string centre =
      "preset = 'data-centre'\nzones = 2\nleaves = 129\nspines = 16\nratio = 2\n"
      "link = { hop_latency_us = 0 }\nrouting = { kind = 'spray', spray_efficiency = 1 }\n";
  const Simulated run(centre,
                      one_operation(4128,
                                    "collective = 'all_to_all'\nalgorithm = 'pairwise'\n"
                                    "bytes = '412800000000B'\n"),
                      {.sharing = SharingChoice::bound});
  const OperationTimes& one = run.result.operations.front();
  ASSERT_EQ(one.sample_half_width_us.size(), 1U);
  // A shift by d crosses the border with min(d, n - d) messages each way of 2,064 a zone, of which the
  // uplinks carry half at full rate: the sum over d of max(1, 2 min(d, n - d) / 2064) block times.
  double blocks = 0;
  for (int distance = 1; distance < 4128; ++distance)
    blocks += std::max(1.0, 2.0 * std::min(distance, 4128 - distance) / 2064);
  const double expected_us = blocks * 1e8 / LinkSpeed{}.goodput();
  EXPECT_NEAR(run.time_us(), expected_us, 1.5 * one.sample_half_width_us.front());
  EXPECT_LT(one.sample_half_width_us.front(), 0.1 * expected_us);
}

}  // namespace
}  // namespace assay::model::fabric
