// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "gemm/host/node_rates.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::gemm {
namespace {

TEST(NodeRates, EachGpuTogetherIsSetBesideItselfAlone) {
  const GpuSamples together{{{1e-3, 1755}, {2e-3, 1200}}, {{1e-3, 1755}, {2e-3, 1200}}};
  const GpuSamples alone{{{1e-3, 1755}, {1e-3, 1755}}};
  std::vector<GpuRates> gpus{gpu_rates(1e12, together, alone, 0), gpu_rates(1e12, together, alone, 1)};
  EXPECT_DOUBLE_EQ(gpus[1].tflops_together, 500);
  EXPECT_DOUBLE_EQ(gpus[1].tflops_alone, 1000);
  EXPECT_DOUBLE_EQ(gpus[1].mhz_together, 1200);
  EXPECT_DOUBLE_EQ(node_metrics(gpus).front().value, 0.5);
  gpus[0].power = {.power_w = 640, .by = "energy_counter", .changes = 12};
  EXPECT_EQ(node_metrics(gpus).size(), 1U) << "the node's power is known only where every GPU's is";
  gpus[1].power.power_w = 410;
  EXPECT_DOUBLE_EQ(node_metrics(gpus).back().value, 1050);
}

TEST(NodeRates, FactsSayHowEachGpusPowerWasTakenOrWhyNot) {
  std::vector<GpuRates> gpus{{.power = {.power_w = 640, .by = "energy_counter", .changes = 12}},
                             {.power = {.power_w = {}, .why_not = "too short"}}};
  const std::vector<core::Fact> power{{"gpu0_power_w", 640.0},
                                      {"gpu0_power_by", "energy_counter"},
                                      {"gpu0_power_sensor_changes", std::int64_t{12}},
                                      {"gpu1_power_left_out", "too short"}};
  EXPECT_THAT(power_facts(gpus), testing::IsSupersetOf(power));
  EXPECT_THAT(node_facts(gpus), testing::IsSupersetOf(power));
}

TEST(NodeRates, AGpuThatSlowsDownDrifts) {
  GpuSamples together;
  for (int i = 0; i < 8; ++i) together.push_back({{i < 4 ? 1e-3 : 1.25e-3, 1755}});
  EXPECT_DOUBLE_EQ(gpu_rates(1e12, together, together, 0).drift_percent, -20);
}

TEST(NodeRates, WithoutSamplesNothingIsSaid) {
  EXPECT_TRUE(node_metrics({gpu_rates(1e12, {}, {}, 0)}).empty());
}

}  // namespace
}  // namespace assay::gemm
