// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/checkpoint/two_stage_trial.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <thread>

#include "harness/core/measure/measure.hpp"
#include "harness/core/tests/eventually.hpp"
#include "harness/core/tests/message_of.hpp"
#include "harness/core/tests/temporary_folder.hpp"
#include "offload/checkpoint/host_state.hpp"

namespace assay::offload {
namespace {

using core::tests::TemporaryFolder;

class TwoStage : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto why = why_no_io_uring()) GTEST_SKIP() << *why;
  }
  TwoStageTrial::Setup setup(Snapshot snapshot) const {
    return {.folder = folder_.path(),
            .shards = {.shards = 2},
            .state = std::make_unique<HostState>(4 << 20),
            .snapshot = snapshot,
            .make_step = [] { return [] { core::tests::work_for(200e-6); }; },
            .compute = "work"};
  }
  static std::map<std::string, double> metrics_of(TwoStageTrial& trial) {
    std::map<std::string, double> values;
    for (const core::Metric& metric : trial.metrics({})) values[metric.name] = metric.value;
    return values;
  }

  TemporaryFolder folder_;
};

TEST_F(TwoStage, StallsComputeForTheSnapshotAloneAndRestoresWhatWasSaved) {
  TwoStageTrial trial(setup(Snapshot::blocking));
  trial.sampling_begins();
  const core::Timing timing = trial.enqueue(3);
  EXPECT_EQ(timing.each_s.size(), 3U);
  const auto metrics = metrics_of(trial);
  EXPECT_GT(metrics.at("stall_s_per_gb"), 0);
  EXPECT_GE(metrics.at("lost_s_per_gb"), metrics.at("stall_s_per_gb"));
  EXPECT_GE(metrics.at("step_alone_s"), 0.0002);
  EXPECT_FALSE(metrics.contains("slowdown_by_snapshot"));  // no step ran meanwhile
  EXPECT_EQ(trial.check().result, core::Verification::Result::right);
}

TEST_F(TwoStage, StallsNothingWhereComputeGoesOn) {
  TwoStageTrial trial(setup(Snapshot::concurrent));
  trial.sampling_begins();
  trial.enqueue(2);
  EXPECT_EQ(metrics_of(trial).at("stall_s_per_gb"), 0);
  EXPECT_FALSE(metrics_of(trial).contains("restore_gb_per_s"));
  EXPECT_EQ(trial.check().result, core::Verification::Result::right);
  EXPECT_GT(metrics_of(trial).at("restore_gb_per_s"), 0);
}

TEST_F(TwoStage, NoticesACheckpointThatWasDamaged) {
  TwoStageTrial trial(setup(Snapshot::blocking));
  trial.enqueue(1);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_.path()))
    if (entry.path().extension() == ".shard") std::filesystem::resize_file(entry.path(), 4096);
  EXPECT_THAT(core::tests::message_of([&] { trial.check(); }),
              testing::HasSubstr("holds no checkpoint that is whole"));
}

TEST_F(TwoStage, LeavesNothingBehind) {
  {
    TwoStageTrial(setup(Snapshot::blocking)).enqueue(1);
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

/// A state of that many bytes, none of which is ever touched.
class VastState final : public CheckpointState {
 public:
  explicit VastState(std::int64_t bytes) : bytes_(bytes) {}
  std::int64_t bytes() const override { return bytes_; }
  void stamp(std::int64_t) override {}
  void take_snapshot() override {}
  std::span<const std::byte> snapshot() const override { return {}; }
  host::Arena content() override { return {4096, -1, host::Pages::base}; }
  void restore(const std::function<void(std::span<std::byte>)>&) override {}
  std::optional<std::size_t> first_difference(std::span<const std::byte>) override { return {}; }
  std::vector<core::Fact> facts() const override { return {}; }

 private:
  std::int64_t bytes_;
};

TEST_F(TwoStage, AsksForTheSpaceOfAllGenerationsBeforeAnythingIsWritten) {
  const std::int64_t free_bytes =
      static_cast<std::int64_t>(std::filesystem::space(folder_.path()).available) / 4096 * 4096;
  TwoStageTrial::Setup vast = setup(Snapshot::blocking);
  vast.state = std::make_unique<VastState>(free_bytes / 2 / 4096 * 4096);  // two of them would fit
  EXPECT_THAT(core::tests::message_of([&] { TwoStageTrial trial(std::move(vast)); }),
              testing::AllOf(testing::HasSubstr("free, but 3 checkpoints of "),
                             testing::HasSubstr(" that are there at once take ")));
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(TwoStage, InAFolderThatIsNotThereIsOneLine) {
  TwoStageTrial::Setup nowhere = setup(Snapshot::blocking);
  nowhere.folder /= "none";
  EXPECT_THAT(core::tests::message_of([&] { TwoStageTrial trial(std::move(nowhere)); }),
              testing::HasSubstr("none: No such file or directory"));
}

TEST(LostTime, IsTheStallAndWhatEachStageTakesFromCompute) {
  const TwoStageTimes times{.snapshot_s = 2,
                            .stall_s = 0.5,
                            .save_s = 10,
                            .alone_step_s = 1,
                            .snapshot_step_s = 2,
                            .save_step_s = 1.25};
  EXPECT_DOUBLE_EQ(lost_s(times), 0.5 + 2 * 0.5 + 10 * 0.2);
  EXPECT_DOUBLE_EQ(lost_s({.snapshot_s = 2, .stall_s = 2, .save_s = 1, .alone_step_s = 1}), 2);
}

}  // namespace
}  // namespace assay::offload
