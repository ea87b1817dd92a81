// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/record/json/older_power.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/text/json_from.hpp"
#include "results/record/journal.hpp"
#include "results/record/json/point_line.hpp"
#include "results/record/json/record_json.hpp"
#include "results/record/line_crc.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Key;

/// As an earlier version wrote it, of a window of so many seconds.
PointRecord older(double window_s) {
  PointRecord point = test::sample_point();
  point.metrics = {{"tflops", "TFLOP/s", 693, {}, {}},
                   {"power_w", "W", 722, {}, {}},
                   {"energy_j", "J", 0, {}, {}},
                   {"joules_per_tflop", "J/TFLOP", 1.04, {}, {}}};
  point.conditions = {{"telemetry_window_s", window_s}};
  return point;
}

std::vector<std::string> names_of(const PointRecord& point) {
  std::vector<std::string> names;
  for (const Metric& metric : point.metrics) names.push_back(metric.name);
  return names;
}

std::string left_out(const PointRecord& point) {
  const Scalar* const why = find(point.conditions, "power_left_out");
  return why == nullptr ? "" : word_or_empty(*why);
}

TEST(OlderPower, OverLessThanASecondIsLeftOutWithTheReason) {
  PointRecord point = older(0.0412);
  read_older_power(point);
  EXPECT_THAT(names_of(point), ElementsAre("tflops"));
  EXPECT_EQ(left_out(point), "taken over 0.0412 s, and the energy counter needs 1 s");
}

TEST(OlderPower, OverASecondAndMoreIsKept) {
  PointRecord point = older(1.013);
  read_older_power(point);
  EXPECT_EQ(point.metrics.size(), 4U);
  EXPECT_EQ(left_out(point), "");
}

TEST(OlderPower, OfARecordThatSaysHowItWasTakenIsKept) {
  PointRecord point = older(0.5);
  point.conditions.emplace_back("power_by", "energy_counter");
  read_older_power(point);
  EXPECT_EQ(point.metrics.size(), 4U);
}

TEST(OlderPower, OfSeveralGpusIsHeldAgainstTheirSamplesTogether) {
  PointRecord point = older(0);
  point.conditions = {
      {"gpu0_pci_address", "0000:1b:00.0"}, {"gpu0_power_w", 640.0}, {"gpu11_power_w", 410.0}};
  point.time->mean_s = 1e-3;
  point.time->n = 100;
  point.iterations_per_sample = 12;
  PointRecord shorter = point;
  read_older_power(point);
  EXPECT_THAT(point.conditions, Contains(Key("gpu11_power_w"))) << "1.2 s";
  shorter.iterations_per_sample = 9;
  read_older_power(shorter);
  EXPECT_THAT(shorter.conditions, ElementsAre(Key("gpu0_pci_address"), Key("power_left_out")));
  EXPECT_EQ(left_out(shorter), "taken over 0.9 s, and the energy counter needs 1 s");
  shorter.conditions = {{"gpu0_power_w", 640.0}, {"gpu0_power_by", "energy_counter"}};
  read_older_power(shorter);
  EXPECT_EQ(left_out(shorter), "");
}

TEST(OlderPower, OverAnUnknownTimeIsLeftOut) {
  PointRecord point = older(0);
  point.conditions.clear();
  point.time.reset();
  read_older_power(point);
  EXPECT_EQ(left_out(point), "taken over an unknown time");
}

TEST(OlderPower, IsNothingThatARecordWithoutPowerLacks) {
  PointRecord point = older(0.04);
  point.metrics.resize(1);
  read_older_power(point);
  EXPECT_THAT(point.conditions, ElementsAre(Key("telemetry_window_s")));
}

TEST(OlderPower, IsLeftOutByBothReadersOfLines) {
  const std::string line = to_line(older(0.04));
  const auto tree = std::get<PointRecord>(from_json(core::json_from<nlohmann::ordered_json>(line)));
  const auto position = point_of_line(intact_line(line).value().body);
  ASSERT_TRUE(position);
  for (const PointRecord& read : {tree, *position}) {
    EXPECT_THAT(names_of(read), ElementsAre("tflops"));
    EXPECT_NE(left_out(read), "");
  }
}

}  // namespace
}  // namespace assay::results
