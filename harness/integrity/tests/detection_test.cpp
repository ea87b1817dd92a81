// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The self-test of self-tests: a detector that misses is told, the one that must not miss fails the test.
#include "harness/integrity/detection.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "harness/core/tests/message_of.hpp"
#include "harness/integrity/digest.hpp"

namespace assay::integrity {
namespace {

using enum core::Verification::Result;
using testing::HasSubstr;

Fault bit(int number, std::uint64_t position = 7) {
  return {.kind = {FaultKind::What::one_bit, number}, .changes = {{position, 0, std::uint64_t{1} << number}}};
}

TEST(DetectionTable, WithoutFaultsIsNotChecked) {
  const DetectionTable table({"bits"});
  EXPECT_EQ(table.verification().result, not_checked);
  EXPECT_EQ(table.to_json(), R"({"detectors":["bits"],"faults":[]})");
}

TEST(DetectionTable, CountsEachKindAndDetector) {
  DetectionTable table({"bits", "tolerance"});
  table.add(bit(0), {true, false});
  table.add(bit(0), {true, false});
  table.add(bit(31), {true, true});
  EXPECT_EQ(table.verification().result, right);
  EXPECT_EQ(table.verification().why, "all 3 planted faults were found by bits; tolerance found 1");
  EXPECT_EQ(table.to_json(),
            R"({"detectors":["bits","tolerance"],"faults":[["bit 0",2,2,0],["bit 31",1,1,1]]})");
  const std::vector<core::Metric> metrics = table.metrics();
  ASSERT_EQ(metrics.size(), 3u);
  EXPECT_EQ(metrics[0].value, 3);
  EXPECT_EQ(metrics[1].name, "caught_by_bits_percent");
  EXPECT_EQ(metrics[1].value, 100);
  EXPECT_NEAR(metrics[2].value, 33.333, 0.001);
}

TEST(DetectionTable, IsWrongWhenTheFirstDetectorMissesOne) {
  DetectionTable table({"bits", "digest"});
  table.add(bit(3), {true, true});
  table.add(bit(5, 1234), {false, true});
  EXPECT_EQ(table.verification().result, wrong);
  EXPECT_EQ(table.verification().why,
            "1 of 2 planted faults were not found by bits: first bit 5 at element 1234");
}

TEST(StudyPlan, OfAPointIsRefusedUnlessItPlantsOneToAThousandOfEachKind) {
  const core::Point point{{"faults", std::int64_t{4}}, {"seed", std::int64_t{7}}};
  EXPECT_EQ(study_plan(point).each, 4);
  EXPECT_EQ(study_plan(point).seed, 7U);
  for (const std::int64_t faults : {0, -1, 1001})
    EXPECT_EQ(core::tests::message_of([&] { study_plan(core::Point(point).set("faults", faults)); }),
              "faults=" + std::to_string(faults) + ": expected 1 to 1000");
}

TEST(Study, PlantsEveryKindAndABlindDetectorFailsIt) {
  std::array<std::uint32_t, 16> values{};
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint32_t>(mix(i));
  const Elements elements{reinterpret_cast<std::byte*>(values.data()), 4, 4, 4};
  const StudyPlan plan{.seed = 5, .each = 3, .has_nan = true, .nan_bits = 0x7fc00000};
  DetectionTable seeing({"bits"}), blind({"bits"});
  study(plan, elements, [](const Fault&) { return std::vector<bool>{true}; }, seeing);
  EXPECT_EQ(seeing.planted(), 3 * (32 + 3));
  EXPECT_EQ(seeing.verification().result, right);
  study(
      plan, elements, [](const Fault& fault) { return std::vector<bool>{fault.kind.name() != "bit 17"}; },
      blind);
  EXPECT_EQ(blind.verification().result, wrong);
  EXPECT_THAT(blind.verification().why,
              HasSubstr("3 of 105 planted faults were not found by bits: first bit 17"));
}

}  // namespace
}  // namespace assay::integrity
