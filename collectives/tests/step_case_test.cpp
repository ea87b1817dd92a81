// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/measure/steps/step_case.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "collectives/measure/cases.hpp"
#include "collectives/measure/histogram_case.hpp"
#include "collectives/measure/steps/small_step.hpp"
#include "collectives/measure/steps/step_plan.hpp"
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

TEST(StepCases, ByNcclAreOfASizeThatAGpuTakes) {
  const core::Case preset = step_case("nccl_preset", 8);
  EXPECT_EQ(core::sweep(preset.axes).front().integer("hidden"), 4096);
  for (const training::Preset& one : training::presets()) {
    const training::TrainingStep step = small_step(std::string(one.name), 8, 2, 4096, StepScale::gpus);
    EXPECT_EQ(too_many_buffers(step_plan(step, 0, {}, DataType::fp32), DataType::fp32), std::nullopt)
        << one.name;
    EXPECT_GT(training::compute_path_s(step), 0) << one.name;
  }
  const core::Case file = step_case("nccl_file", 4);
  EXPECT_EQ(file.unsupported(core::sweep(file.axes).front()), "no workload: give --workload FILE");
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

TEST(HistogramCase, AsksForTheRanksOfMostCollectivesByDefault) {
  const core::Case four = step_case("histogram", 4), many = step_case("histogram", 128);
  std::size_t here = 0, there = 0;
  for (const core::Point& point : core::sweep(four.axes)) {
    const auto why = four.unsupported(point);
    here += why ? 0 : 1;
    if (why) {
      EXPECT_EQ(*why, fmt::format("ranks={}, but 4 run", point.integer("ranks")));
    }
    there += many.unsupported(point) ? 0 : 1;
  }
  EXPECT_EQ(here, 2U) << "all four, of two presets";
  EXPECT_EQ(there, core::sweep(many.axes).size()) << "16, 32, 64 and 128 as well";
}

TEST(HistogramCase, HasTheSizesOfThePublishedModel) {
  const training::TrainingStep step = published_step("fsdp", "llama3-8b", 1, 16);
  const double block = 2 * training::block_parameters(workload::find_model("llama3-8b"));
  double gathers = 0, scatters = 0;
  for (const training::StepStream& stream : step.streams)
    for (const training::StepOperation& one : stream.operations) {
      EXPECT_EQ(one.compute_s, 0);
      if (one.traffic == training::Traffic::none) continue;
      EXPECT_DOUBLE_EQ(one.bytes, block);
      (one.traffic == training::Traffic::all_gather ? gathers : scatters) += one.times;
    }
  EXPECT_EQ(gathers, 64);
  EXPECT_EQ(scatters, 32);
  for (const char* preset : {"ddp", "megatron", "moe"})
    for (const int ranks : {2, 6, 16}) EXPECT_EQ(published_step(preset, "llama3-8b", 4, ranks).ranks, ranks);
}

TEST(HistogramCase, RefusesRanksThatAreNone) {
  const core::Case one = step_case("histogram", 4);
  core::Point point = core::sweep(one.axes).front();
  EXPECT_THROW(one.unsupported(point.set("ranks", std::int64_t{1})), core::Error);
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
