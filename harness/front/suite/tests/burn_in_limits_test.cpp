// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/suite/burn_in/burn_in_limits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/names.hpp"
#include "harness/core/text/json_from.hpp"

namespace assay::suite {
namespace {

using results::TimelineEntry;
using results::Verdict;
using results::VerdictRow;

const LimitsOfGpus limits{{"0000:1b:00.0", {.power_w = 700, .bandwidth_gb_per_s = 3352}}};

TimelineEntry watts(double value, double load = 100) {
  return entry_of(
      {.unit = "GPU 0", .metric = core::names::power_w, .value = value, .limit = 700, .duty_percent = load});
}

const VerdictRow* row_of(const std::vector<VerdictRow>& rows, const std::string& metric) {
  for (const VerdictRow& row : rows)
    if (row.metric == metric) return &row;
  return nullptr;
}

results::PointRecord ramp_point() {
  results::PointRecord record;
  record.case_name = "gemm.cuda.power_ramp";
  record.point = {{core::names::duty_percent, std::int64_t{50}}};
  record.conditions = {{"gpu0_pci_address", std::string("0000:1b:00.0")}, {"gpu0_power_w", 410.0}};
  return record;
}

results::PointRecord read_point(std::int64_t bytes) {
  results::PointRecord record;
  record.case_name = "memory.cuda.read";
  record.point = {{"bytes", bytes}};
  record.units = {{.kind = "gpu", .id = "0"}};
  record.conditions = {{core::names::gpu_pci_address, std::string("0000:1b:00.0")}};
  record.metrics = {{.name = core::names::bandwidth_gb_per_s, .unit = "GB/s", .value = 3000}};
  return record;
}

TEST(BurnInLimits, OfAGpuAreItsPowerLimitAndWhatClockAndWidthOfItsMemoryAllow) {
  const auto machine = core::json_from<nlohmann::ordered_json>(
      R"({"gpus": [{"memory_bus_bits": 5120, "max_memory_clock_mhz": 2619, "power_limit_w": 700,
                    "pcie": {"address": "0000:1b:00.0"}}, {"pcie": {}}, {}]})");
  const LimitsOfGpus found = limits_of_gpus(machine);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.at("0000:1b:00.0").power_w, 700);
  EXPECT_NEAR(found.at("0000:1b:00.0").bandwidth_gb_per_s, 3352, 1);
  EXPECT_TRUE(limits_of_gpus(nlohmann::ordered_json::object()).empty());
}

TEST(BurnInLimits, ARecordHasThePowerOfEachGpuWithItsLoad) {
  const auto reached = reached_in(ramp_point(), limits);
  ASSERT_EQ(reached.size(), 1U);
  EXPECT_EQ(reached[0].unit, "GPU 0 0000:1b:00.0");
  EXPECT_EQ(reached[0].value, 410);
  EXPECT_EQ(reached[0].duty_percent, 50);
  EXPECT_TRUE(reached_in(ramp_point(), {}).empty()) << "without a limit nothing is compared";
  results::PointRecord wrong = ramp_point();
  wrong.status = results::Status::wrong;
  EXPECT_TRUE(reached_in(wrong, limits).empty());
}

TEST(BurnInLimits, ARecordHasTheBandwidthOfAFootprintBeyondTheCaches) {
  ASSERT_EQ(reached_in(read_point(std::int64_t{4} << 30), limits).size(), 1U);
  EXPECT_EQ(reached_in(read_point(std::int64_t{4} << 30), limits)[0].value, 3000);
  EXPECT_TRUE(reached_in(read_point(1 << 20), limits).empty()) << "that is the L2";
}

TEST(BurnInLimits, APowerTargetThatIsNotReachedFails) {
  EXPECT_EQ(row_of(limit_rows(std::vector{watts(530)}), "power_of_limit")->verdict, Verdict::pass);
  const auto rows = limit_rows(std::vector{watts(510)});
  EXPECT_EQ(row_of(rows, "power_of_limit")->verdict, Verdict::fail);
  EXPECT_EQ(row_of(rows, "power_of_limit")->because, "510 of 700 W, 72.9 %; 75 % expected");
  EXPECT_EQ(row_of(rows, "power_ramp"), nullptr);
}

TEST(BurnInLimits, ARampThatLosesPowerFails) {
  const auto good = limit_rows(std::vector{watts(250, 25), watts(400, 50), watts(560, 75), watts(690)});
  EXPECT_EQ(row_of(good, "power_ramp")->verdict, Verdict::pass);
  EXPECT_EQ(row_of(good, "power_ramp")->because,
            "250 W at 25 %, 400 W at 50 %, 560 W at 75 %, 690 W at 100 %");
  const auto bad = limit_rows(std::vector{watts(250, 25), watts(400, 50), watts(640, 75), watts(560)});
  EXPECT_EQ(row_of(bad, "power_ramp")->verdict, Verdict::fail);
}

TEST(BurnInLimits, PowerThatWasLeftOutIsExcusedWithItsReasonAndNoPass) {
  results::PointRecord record = ramp_point();
  record.point = {{core::names::duty_percent, std::int64_t{100}}};
  record.conditions = {{"gpu0_pci_address", "0000:1b:00.0"}, {"gpu0_power_left_out", "too short"}};
  const auto reached = reached_in(record, limits);
  ASSERT_EQ(reached.size(), 1U);
  const auto rows = limit_rows(std::vector{entry_of(reached[0])});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_TRUE(rows[0].excused);
  EXPECT_EQ(rows[0].verdict, Verdict::not_run);
  EXPECT_EQ(rows[0].because, "its power is unknown: too short");
  Reached later = reached[0];
  later.value = 690, later.why_unknown.clear();
  const auto known = limit_rows(std::vector{entry_of(reached[0]), entry_of(later)});
  ASSERT_EQ(known.size(), 1U) << "another round knew it";
  EXPECT_EQ(known[0].verdict, Verdict::pass);
}

TEST(BurnInLimits, OfPartLoadAloneSayNothingOfTheTarget) {
  EXPECT_EQ(row_of(limit_rows(std::vector{watts(250, 25)}), "power_of_limit"), nullptr);
}

TEST(BurnInLimits, SlowMemoryFails) {
  Reached read = reached_in(read_point(std::int64_t{4} << 30), limits).at(0);
  EXPECT_EQ(row_of(limit_rows(std::vector{entry_of(read)}), "bandwidth_of_limit")->verdict, Verdict::pass);
  read.value = 2600;
  const auto rows = limit_rows(std::vector{entry_of(read)});
  EXPECT_EQ(row_of(rows, "bandwidth_of_limit")->verdict, Verdict::fail);
  EXPECT_EQ(row_of(rows, "bandwidth_of_limit")->unit, "GPU 0 0000:1b:00.0");
}

}  // namespace
}  // namespace assay::suite
