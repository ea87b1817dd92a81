// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A step's traffic between a GPU and its host at a small size: every byte arrives, and the check can fail.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/cuda/device.hpp"
#include "offload/tests/case_lists.hpp"
#include "offload/tests/small_step.hpp"
#include "offload/workload/device_step_replay.hpp"
#include "offload/workload/workload_settings.hpp"

namespace assay::offload {
namespace {

using core::Point;
using core::Value;

Point small_device_step(const std::string& holds) {
  return small_step(holds, 400).set("numa", Value(std::int64_t{-1})).set("gpu", Value(std::int64_t{0}));
}

class WorkloadOnDevice : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto reason = cuda::device_unavailable()) GTEST_SKIP() << *reason;
  }
};

TEST_F(WorkloadOnDevice, BringsEveryByteToItsTarget) {
  const core::Case one = device_workload_cases({}).front();
  EXPECT_EQ(one.name, "offload.cuda.workload");
  for (const char* holds : {"optimizer", "activations", "checkpoint", "all"}) {
    const Point point = small_device_step(holds);
    SCOPED_TRACE(point.key());
    const auto trial = one.prepare(point);
    trial->sampling_begins();
    EXPECT_EQ(trial->run(2).each_s.size(), 2U);
    trial->sampling_ends();
    const core::Verification seen = trial->verify();
    EXPECT_EQ(seen.result, core::Verification::Result::right) << seen.why;
    EXPECT_FALSE(trial->metrics({}).empty());
  }
}

TEST_F(WorkloadOnDevice, BeforeAStepNothingHasArrived) {
  const cuda::DeviceGuard guard(0);
  const training::HostStep step = workload_step(small_device_step("optimizer"));
  DeviceStepReplay replay(step, 0, -1);
  EXPECT_THAT(replay.wrong().value_or(""), testing::HasSubstr("is not the one sent"));
  replay.run();
  EXPECT_EQ(replay.wrong().value_or(""), "");
}

}  // namespace
}  // namespace assay::offload
