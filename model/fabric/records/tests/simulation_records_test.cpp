// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/records/simulation_records.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "harness/core/names.hpp"

namespace assay::model::fabric {
namespace {

namespace names = core::names;
using results::PointRecord;
using testing::HasSubstr;

const char* const recorded_zone =
    "name = 'zone'\npreset = 'ai-zone'\nleaves = 4\nspines = 16\n"
    "routing = { kind = 'e-ecmp', queue_pairs = 4 }\n";
const char* const recorded_ring =
    "name = 'ring'\nranks = 64\n[[stream]]\n[[stream.op]]\ncollective = 'all_reduce'\nbytes = '64MiB'\n";
const char* const recorded_shift =
    "name = 'shift'\nranks = 64\n[[stream]]\n[[stream.op]]\npattern = 'shift'\nby = 16\nbytes = '64MiB'\n";

struct Recorded {
  explicit Recorded(const std::string& workload, const SimulationOptions& chosen = {.seeds = 20},
                    const std::string& fabric = recorded_zone)
      : scenario(parse_fabric(fabric, "f.toml"), parse_workload(workload, "w.toml")),
        options(chosen),
        result(simulate(scenario, options)),
        records(simulation_records({scenario, result, options, replaced})) {}

  std::vector<PointRecord> of(const std::string& name) const {
    std::vector<PointRecord> some;
    for (const PointRecord& one : records)
      if (one.case_name == name) some.push_back(one);
    return some;
  }

  std::vector<KeyValue> replaced = {{"queue_pairs", "4"}, {"xoff", "512KiB"}};
  Scenario scenario;
  SimulationOptions options;
  Simulation result;
  std::vector<PointRecord> records;
};

double value_of(const PointRecord& record, const std::string& metric) {
  const results::Metric* const found = results::find(record.metrics, metric);
  return found == nullptr ? NAN : found->value;
}

TEST(SimulationRecords, TheWorkloadHasTheMedianAndFiveToNinetyFivePercentOfSeeds) {
  const Recorded shift(recorded_shift);
  ASSERT_EQ(shift.of("fabric.flows.workload").size(), 1U);
  const PointRecord& one = shift.records.front();
  EXPECT_EQ(
      one.key,
      "fabric=zone,workload=shift,routing=e-ecmp,queue_pairs=4,sharing=auto,seeds=20,switch.xoff=512KiB");
  const results::Metric& time = one.metrics.front();
  EXPECT_EQ(time.name, names::time_us);
  EXPECT_LT(*time.lower, time.value);
  EXPECT_LT(time.value, *time.upper);
  EXPECT_GE(std::ranges::min(shift.result.time_us), 0.9 * *time.lower);
  const results::Metric& uneven = *results::find(one.metrics, names::uplinks_max_over_mean);
  EXPECT_GT(*uneven.lower, 1.2);
  EXPECT_GT(*uneven.upper, *uneven.lower);
  EXPECT_EQ(results::find(one.metrics, names::busbw_gb_per_s)->unit, "GB/s");
  EXPECT_THAT(std::get<std::string>(*results::find(one.conditions, names::basis)),
              testing::AllOf(HasSubstr("Simulated by flows under occupancy sharing. Known error: "),
                             HasSubstr("Assumed, not measured: links of 400 Gbit/s")));
}

TEST(SimulationRecords, OneSeedHasNoInterval) {
  const Recorded shift(recorded_shift, {.seeds = 1});
  EXPECT_FALSE(shift.records.front().metrics.front().lower);
}

TEST(SimulationRecords, LeavesHaveTheLoadOfTheirUplinksInTheMedianSeed) {
  const Recorded shift(recorded_shift);
  const std::vector<PointRecord> leaves = shift.of("fabric.flows.leaf");
  ASSERT_EQ(leaves.size(), 4U);
  double sum = 0, most = 0;
  for (const PointRecord& leaf : leaves)
    for (int uplink = 0; uplink < 16; ++uplink) {
      const double over_mean = value_of(leaf, "uplink_over_mean_" + std::to_string(uplink));
      sum += over_mean;
      most = std::max(most, over_mean);
      EXPECT_LE(over_mean, value_of(leaf, names::uplinks_max_over_mean));
    }
  EXPECT_NEAR(sum, 64, 1e-9);
  EXPECT_NEAR(most, shift.result.uplinks_max_over_mean[shift.result.median_seed - 1], 1e-9);
}

TEST(SimulationRecords, AFailedUplinkHasNoLoad) {
  const Recorded shift(recorded_shift, {},
                       std::string(recorded_zone) + "[[failed]]\nlink = 'leaf1>spine3'\n");
  const PointRecord leaf = shift.of("fabric.flows.leaf").at(1);
  EXPECT_TRUE(std::isnan(value_of(leaf, "uplink_over_mean_3")));
  EXPECT_GE(value_of(leaf, "uplink_over_mean_4"), 0);
}

TEST(SimulationRecords, StepsSayHowManyAreAlike) {
  const Recorded ring(recorded_ring);
  const std::vector<PointRecord> steps = ring.of("fabric.flows.step");
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_EQ(std::get<double>(*results::find(steps.front().conditions, names::steps_alike)), 126);
  EXPECT_NEAR(126 * value_of(steps.front(), names::time_us), value_of(ring.records.front(), names::time_us),
              1e-6 * value_of(ring.records.front(), names::time_us));
}

TEST(SimulationRecords, AStarHasNoUplinks) {
  const Recorded star("ranks = 4\n[[stream]]\n[[stream.op]]\npattern = 'incast'\nbytes = '1MiB'\n", {},
                      "preset = 'star'\nhosts = 4\n");
  EXPECT_EQ(star.of("fabric.flows.leaf").size(), 0U);
  EXPECT_EQ(results::find(star.records.front().metrics, names::uplinks_max_over_mean), nullptr);
}

TEST(SimulationRecords, APlacementHasTheBytesThatLeaveEachTier) {
  const Recorded shift(recorded_shift);
  const Simulated one{shift.scenario, shift.result, shift.options, {}};
  const std::vector<PointRecord> both =
      placement_records(one, one, {{.tier = "leaf", .before = 8e9, .after = 3e9, .bound = 2e9}});
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(value_of(both[0], "bytes_leaving_leaf"), 8e9);
  EXPECT_EQ(value_of(both[1], "bytes_leaving_leaf"), 3e9);
  EXPECT_EQ(value_of(both[1], "least_bytes_leaving_leaf"), 2e9);
  EXPECT_NE(both[0].key, both[1].key);
}

}  // namespace
}  // namespace assay::model::fabric
