// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/run/journal/record_of.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::run {
namespace {

using results::UnitReport;
using testing::ElementsAre;
using testing::IsEmpty;

core::Axis axis_of(const std::string& name, const std::string& unit_kind) {
  return {.name = name, .meaning = "", .values = {}, .unit_kind = unit_kind};
}

std::vector<UnitReport> units_of(const std::vector<core::Axis>& axes, const core::Point& point) {
  core::Case benchmark;
  benchmark.axes = axes;
  return planned_record("memory", {&benchmark, point, {}}).units;
}

TEST(PlannedRecord, NamesTheUnitsThatItsAxesName) {
  EXPECT_THAT(units_of({axis_of("gpu", "gpu"), axis_of("bytes", "")},
                       {{"gpu", std::int64_t{3}}, {"bytes", std::int64_t{64}}}),
              ElementsAre(UnitReport{"gpu", "3"}));
  EXPECT_THAT(units_of({axis_of("from", "gpu"), axis_of("to", "gpu")},
                       {{"from", std::int64_t{0}}, {"to", std::int64_t{1}}}),
              ElementsAre(UnitReport{"gpu", "0"}, UnitReport{"gpu", "1"}));
  EXPECT_THAT(units_of({axis_of("device", "port")}, {{"device", "mlx5_0:1"}}),
              ElementsAre(UnitReport{"port", "mlx5_0:1"}));
}

TEST(PlannedRecord, NamesNoUnitThatTheHostChoseOrThatNoAxisNames) {
  EXPECT_THAT(units_of({axis_of("device", "port")}, {{"device", "auto"}}), IsEmpty());
  EXPECT_THAT(units_of({axis_of("gpu", "")}, {{"gpu", std::int64_t{3}}}), IsEmpty())
      << "where messages lie is not what is measured";
  EXPECT_THAT(units_of({}, {{"gpu", std::int64_t{3}}}), IsEmpty()) << "an axis that the case does not have";
}

TEST(Report, NeverRepeatsTheHeadlineThatHasAnInterval) {
  core::Case benchmark;
  benchmark.headline = core::Headline::message_rate_m_per_s;
  core::Measurement measurement;
  measurement.samples_s = {1};
  measurement.interval = {.estimate = 1, .lower = 0.5, .upper = 2};
  results::PointRecord record;
  add_measurement(record, benchmark, {.messages = 3e6}, measurement);
  core::Report report;
  report.metrics = {{"message_rate_m_per_s", "M/s", 4, {}, {}}, {"fairness", "", 1, {}, {}}};
  add_report(record, report);
  ASSERT_EQ(record.metrics.size(), 2U);
  EXPECT_EQ(record.metrics[0].name, "message_rate_m_per_s");
  EXPECT_EQ(record.metrics[0].value, 3);
  EXPECT_EQ(record.metrics[0].upper, 6);
  EXPECT_EQ(record.metrics[1].name, "fairness");
}

}  // namespace
}  // namespace assay::run
