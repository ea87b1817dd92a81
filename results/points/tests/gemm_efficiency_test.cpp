// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/points/kinds/gemm_efficiency.hpp"

#include <gtest/gtest.h>

#include "results/store/repetitions.hpp"

namespace assay::results {
namespace {

StoredPoint layer(const std::string& name, std::int64_t tp, double flops, double seconds,
                  const std::string& pass = "forward") {
  StoredPoint point;
  point.case_name = "gemm.host.transformer";
  point.axes = {{"model", "m"}, {"tp", tp}, {"gemm", name}, {"pass", pass}};
  point.key = name + std::to_string(tp) + pass;
  point.work_flops = flops;
  point.time_s = seconds;
  point.lower_s = seconds * 0.9;
  point.upper_s = seconds * 1.1;
  point.headline = {flops / seconds * 1e-12};
  point.efficiency = Number{flops / seconds / 1e12};  // a peak of 1 TFLOP/s
  point.n = 10;
  return point;
}

std::vector<StoredPoint> whole_block(std::int64_t tp, const std::string& pass = "forward") {
  return {layer("qkv", tp, 1e12, 2, pass), layer("attention_output", tp, 1e12, 4, pass),
          layer("up_gate", tp, 4e12, 5, pass), layer("down", tp, 2e12, 5, pass)};
}

TEST(GemmEfficiency, TheBlockIsTimeWeighted) {
  const auto blocks = block_efficiencies(whole_block(2));
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_EQ(blocks[0].tensor_parallel, 2);
  EXPECT_DOUBLE_EQ(blocks[0].layers[0].efficiency()->value, 0.5);
  const auto whole = blocks[0].block();
  ASSERT_TRUE(whole);
  // 8e12 FLOPs in 16 s at a peak of 1e12/s; the mean of the layers' efficiencies would be 0.4875.
  EXPECT_DOUBLE_EQ(whole->efficiency()->value, 0.5);
  EXPECT_DOUBLE_EQ(*whole->efficiency()->lower, 8 / (16 * 1.1));
  EXPECT_DOUBLE_EQ(*whole->efficiency()->upper, 8 / (16 * 0.9));
  EXPECT_DOUBLE_EQ(whole->tflops().value, 0.5);
  EXPECT_EQ(whole->n, 40);
}

TEST(GemmEfficiency, ABlockThatLacksALayerHasNoWhole) {
  auto points = whole_block(4);
  points[2].status = Status::failed;
  const auto blocks = block_efficiencies(points);
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_EQ(blocks[0].missing, std::vector<std::string>{"up_gate"});
  EXPECT_FALSE(blocks[0].block());
  EXPECT_EQ(blocks[0].layers.size(), 3u);
}

TEST(GemmEfficiency, WithoutAPeakThereIsNoEfficiencyButARate) {
  auto points = whole_block(1);
  points[0].efficiency.reset();
  const auto blocks = block_efficiencies(points);
  EXPECT_FALSE(blocks[0].layers[0].efficiency());
  EXPECT_FALSE(blocks[0].block()->efficiency());
  EXPECT_DOUBLE_EQ(blocks[0].block()->tflops().value, 0.5);
}

TEST(GemmEfficiency, ThreeWholePassesAddUp) {
  auto points = whole_block(1, "forward");
  for (const auto* pass : {"dgrad", "wgrad"})
    for (const auto& point : whole_block(1, pass)) points.push_back(point);
  const auto blocks = block_efficiencies(points);
  ASSERT_EQ(blocks.size(), 4u);
  EXPECT_EQ(group_text(blocks[3].group), "m, all");
  EXPECT_DOUBLE_EQ(blocks[3].block()->flops, 24e12);
  EXPECT_DOUBLE_EQ(blocks[3].block()->time_s.value, 48);
  points.pop_back();
  EXPECT_EQ(block_efficiencies(points).size(), 3u) << "a pass with a layer missing is not added up";
}

TEST(GemmEfficiency, AWordNeedsNoNameButTheInstructionSetHasOne) {
  EXPECT_EQ(group_text({{"threads", std::int64_t{2}}, {"isa", "best"}, {"dtype", "fp64"}}),
            "threads 2, isa best, fp64");
}

TEST(GemmEfficiency, GroupsKeepTheirOrderAndDegreesAscend) {
  std::vector<StoredPoint> points;
  for (const std::int64_t tp : {8, 1, 4})
    for (const auto& point : whole_block(tp)) points.push_back(point);
  const auto blocks = block_efficiencies(points);
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_EQ(blocks[0].tensor_parallel, 1);
  EXPECT_EQ(blocks[2].tensor_parallel, 8);
}

TEST(CombineRepetitions, TakesTheMedianAndTheUnionOfIntervals) {
  std::vector<StoredPoint> points;
  for (const double value : {3.0, 1.0, 2.0}) {
    auto point = layer("qkv", 1, 1e12, value);
    point.headline = {value, value - 0.1, value + 0.1};
    points.push_back(point);
  }
  const auto combined = combine_repetitions(points);
  ASSERT_EQ(combined.size(), 1u);
  EXPECT_DOUBLE_EQ(combined[0].headline.value, 2.0);
  EXPECT_DOUBLE_EQ(*combined[0].headline.lower, 0.9);
  EXPECT_DOUBLE_EQ(*combined[0].headline.upper, 3.1);
  EXPECT_EQ(combined[0].n, 30);
}

}  // namespace
}  // namespace assay::results
