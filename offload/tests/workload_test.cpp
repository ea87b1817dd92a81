// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A step's traffic on host memory: what arrives, what waits for what, and that the check can fail.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "harness/core/error.hpp"
#include "offload/tests/case_lists.hpp"
#include "offload/tests/small_step.hpp"
#include "offload/workload/host_step_replay.hpp"
#include "offload/workload/workload_settings.hpp"

namespace assay::offload {
namespace {

using core::Point;
using core::Value;
using testing::HasSubstr;

Point small_host_step(const std::string& holds) {
  return small_step(holds, 1).set("cap_gb_per_s", Value("unlimited"));
}

double metric_of(const std::vector<core::Metric>& metrics, const std::string& name) {
  const auto found = std::ranges::find(metrics, name, &core::Metric::name);
  return found == metrics.end() ? -1 : found->value;
}

TEST(HostStepReplay, BringsEveryByteToItsTarget) {
  for (const char* holds : {"optimizer", "activations", "checkpoint", "all"}) {
    SCOPED_TRACE(holds);
    const training::HostStep step = workload_step(small_host_step(holds));
    HostStepReplay replay(step, unlimited);
    EXPECT_THAT(replay.wrong().value_or(""), HasSubstr("is not the one sent")) << "nothing was moved yet";
    const HostStepTimes times = replay.run();
    EXPECT_EQ(replay.wrong().value_or(""), "");
    EXPECT_GE(times.whole_s, step.compute_s());
    EXPECT_GT(times.link_s[static_cast<std::size_t>(Direction::out)], 0);
  }
}

TEST(HostStepReplay, IsExposedWhereTheLinkIsSlow) {
  const training::HostStep step = workload_step(small_host_step("optimizer"));
  const double link_s = step.bytes(false) / 0.05e9;
  HostStepReplay replay(step, 0.05);
  EXPECT_GE(replay.run().whole_s, step.compute_s() + 0.9 * link_s) << "weights return after all passes";
}

TEST(StepProgress, LetsATransferBeginOnlyAfterItsPassAndItsSource) {
  const training::HostStep step{
      .pass_s = {0, 0},
      .transfers = {{.name = "out", .to_host = true, .bytes = 1, .after = 1},
                    {.name = "back", .bytes = 1, .after = 1, .before = 1, .brings_back = 0}}};
  StepProgress progress(step);
  EXPECT_FALSE(progress.next(Direction::out)) << "no pass has ended";
  std::thread passes([&] { progress.run(); });
  while (!progress.next(Direction::out)) std::this_thread::yield();
  EXPECT_FALSE(progress.next(Direction::in)) << "what it brings back has not been sent";
  progress.ended(Direction::out);
  EXPECT_EQ(progress.next(Direction::in), 1U);
  EXPECT_FALSE(progress.over(Direction::in));
  progress.ended(Direction::in);
  passes.join();
  EXPECT_TRUE(progress.over(Direction::in) && progress.over(Direction::out));
}

TEST(StepProgress, EndsWhereAMoverFails) {
  const training::HostStep step{.pass_s = {0}, .transfers = {{.name = "never", .bytes = 1, .before = 0}}};
  StepProgress progress(step);
  progress.fail();
  progress.run();
  EXPECT_TRUE(progress.over(Direction::in));
}

TEST(HostWorkload, ReportsComputeAndWhatIsExposed) {
  const core::Case one = workload_cases({}).front();
  EXPECT_EQ(one.name, "offload.host.workload");
  const Point point = small_host_step("all");
  EXPECT_FALSE(one.unsupported(point));
  const training::HostStep step = workload_step(point);
  EXPECT_DOUBLE_EQ(one.work(point).bytes, step.bytes(true) + step.bytes(false));
  const auto trial = one.prepare(point);
  trial->sampling_begins();
  trial->run(2);
  trial->sampling_ends();
  EXPECT_EQ(trial->verify().result, core::Verification::Result::right) << trial->verify().why;
  const std::vector<core::Metric> metrics = trial->metrics({});
  EXPECT_DOUBLE_EQ(metric_of(metrics, "compute_us"), 1e6 * step.compute_s());
  for (const char* name : {"exposed_us", "link_us", "to_host_gb_per_s", "from_host_gb_per_s"})
    EXPECT_GT(metric_of(metrics, name), 0) << name;
}

TEST(HostWorkload, RefusesNumbersThatAreNone) {
  for (const char* axis : {"tokens", "ranks", "tflops"}) {
    try {
      workload_step(small_host_step("all").set(axis, Value(std::int64_t{0})));
      ADD_FAILURE() << axis;
    } catch (const core::Error& error) {
      EXPECT_EQ(error.kind(), core::ErrorKind::usage);
      EXPECT_THAT(error.what(), HasSubstr(std::string(axis) + "=0: expected 1 to"));
    }
  }
}

}  // namespace
}  // namespace assay::offload
