// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/measure/step_case.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "collectives/measure/cases.hpp"
#include "harness/core/error.hpp"
#include "harness/training/presets.hpp"

namespace assay::collectives {
namespace {

using testing::HasSubstr;

core::Case step_case(const std::string& name, int ranks, const ModuleSettings& settings = {}) {
  const auto all = declared_cases(settings, ranks);
  return *std::ranges::find(all, "collectives.workload." + name, &core::Case::name);
}

TEST(StepCases, HaveAPointForEachPresetThatCanRunOnAnyNumberOfRanks) {
  for (const int ranks : {2, 3, 4, 6}) {
    const core::Case preset = step_case("preset", ranks);
    const auto points = core::sweep(preset.axes);
    EXPECT_EQ(points.size(), training::presets().size());
    for (const core::Point& point : points) {
      EXPECT_EQ(preset.unsupported(point), std::nullopt) << point.key() << ranks;
      EXPECT_GT(preset.work(point).bytes, 0) << point.key() << ranks;
    }
  }
}

TEST(StepCases, OfOneRankOrWithoutAFileSayWhyNot) {
  const core::Case alone = step_case("preset", 1);
  EXPECT_EQ(alone.unsupported(core::sweep(alone.axes).front()), "one rank exchanges nothing");
  const core::Case file = step_case("file", 4);
  EXPECT_EQ(file.unsupported(core::sweep(file.axes).front()), "no workload: give --workload FILE");
}

TEST(StepCases, OfTooLargeBuffersAreUnsupported) {
  const core::Case preset = step_case("preset", 4);
  core::Point point = core::sweep(preset.axes).front();
  point.set("hidden", std::int64_t{32768}).set("layers", std::int64_t{1});
  EXPECT_THAT(preset.unsupported(point).value_or(""), HasSubstr("expected at most 2 GiB"));
}

TEST(StepCases, RefuseSizesThatDoNotDivide) {
  EXPECT_THROW(small_step("ddp", 4, 4, 33), core::Error);
  EXPECT_THROW(small_step("ddp", 4, 0, 64), core::Error);
  EXPECT_THROW(small_step("none", 4, 4, 64), core::Error);
}

TEST(StepCases, WithoutAWorkloadFileThatCanBeReadEndInAUsageError) {
  EXPECT_THROW(declared_cases({.workload = "no-such-file"}, 4), core::Error);
}

}  // namespace
}  // namespace assay::collectives
