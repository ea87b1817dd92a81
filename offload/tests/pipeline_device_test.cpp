// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The pipeline on a GPU at a small size: what it writes back is verified, and the check can fail.
#include <gtest/gtest.h>

#include "harness/core/measure/measure.hpp"
#include "harness/cuda/timing/device_site.hpp"
#include "offload/pipeline/device/device_pipeline.hpp"
#include "offload/tests/case_lists.hpp"

namespace assay::offload {
namespace {

using core::Point;
using core::Value;
using enum core::Verification::Result;

Point small(std::int64_t resident, const std::string& cap) {
  return {{"model", Value("llama3-8b")},      {"shrink", Value(std::int64_t{16})},
          {"tp", Value(std::int64_t{1})},     {"tokens", Value(std::int64_t{64})},
          {"dtype", Value("bf16")},           {"pass", Value("forward")},
          {"blocks", Value(std::int64_t{5})}, {"resident", Value(resident)},
          {"cap_gb_per_s", Value(cap)},       {"far", Value(std::int64_t{-1})},
          {"gpu", Value(std::int64_t{0})}};
}

class PipelineOnDevice : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto reason = cuda::device_unavailable()) GTEST_SKIP() << *reason;
    if (const auto reason = workload::CublasLt::unavailable()) GTEST_SKIP() << *reason;
  }
};

TEST_F(PipelineOnDevice, WritesBackWhatTheFarWeightsGive) {
  for (const std::int64_t resident : {2, 3, 6})
    for (const char* cap : {"unlimited", "2"}) {
      const Point point = small(resident, cap);
      SCOPED_TRACE(point.key());
      const auto trial = device_pipeline_cases({}).front().prepare(point);
      trial->run(1);
      trial->sampling_begins();
      EXPECT_EQ(trial->run(3).each_s.size(), 3U);
      trial->sampling_ends();
      const core::Verification seen = trial->verify();
      EXPECT_EQ(seen.result, right) << seen.why;
      for (const core::Metric& metric : trial->metrics({}))
        if (metric.unit == "us" && metric.name != "interference_us") {
          EXPECT_GT(metric.value, 0) << metric.name;
        }
      EXPECT_FALSE(trial->facts().empty());
    }
}

TEST_F(PipelineOnDevice, OfTheBackwardPassWritesGradientsOfWhatWasFetched) {
  const auto trial =
      device_pipeline_cases({}).front().prepare(small(2, "unlimited").set("pass", Value("backward")));
  trial->run(2);
  const core::Verification seen = trial->verify();
  EXPECT_EQ(seen.result, right) << seen.why;
}

TEST_F(PipelineOnDevice, BeforeAStepNothingIsWrittenBack) {
  cuda::DeviceSite site(0);
  DevicePipeline pipeline(device_pipeline_settings(small(2, "unlimited")), site);
  EXPECT_EQ(pipeline.verify().why, "block 0: what was written back is not what was fetched gives");
}

TEST_F(PipelineOnDevice, IsNoFasterThanItsCap) {
  const DevicePipelineSettings settings = device_pipeline_settings(small(2, "1"));
  cuda::DeviceSite site(0);
  cuda::GatedTimer timer(site.stream.get(), site.device.sm_count);
  DevicePipeline pipeline(settings, site);
  pipeline.run_all(timer);
  // The last piece is on its way when a link of that rate would have delivered it.
  EXPECT_GE(pipeline.run_all(timer).step_s, 0.99 * settings.in_bytes() / 1e9);
}

}  // namespace
}  // namespace assay::offload
