// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A checkpoint of device memory at a small size, restored to the device and compared there bit by bit; and
// that the comparison can fail.
#include <gtest/gtest.h>

#include <cstring>
#include <map>

#include "harness/core/measure/measure.hpp"
#include "harness/core/tests/temporary_folder.hpp"
#include "harness/cuda/check.hpp"
#include "offload/checkpoint/device_state.hpp"
#include "offload/tests/case_lists.hpp"

namespace assay::offload {
namespace {

using core::Point;
using core::Value;

class CheckpointOnDevice : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto reason = cuda::device_unavailable()) GTEST_SKIP() << *reason;
  }
};

TEST_F(CheckpointOnDevice, IsSavedBesideProductsAndRestoredBitForBit) {
  const core::tests::TemporaryFolder folder;
  const ModuleSettings settings{.checkpoint_folder = folder.path()};
  const core::Case checkpoint = device_checkpoint_cases({.module = &settings}).front();
  for (const char* snapshot : {"blocking", "concurrent"}) {
    const Point point{{"bytes", Value(std::int64_t{16} << 20)},
                      {"shards", Value(std::int64_t{2})},
                      {"block", Value(std::int64_t{1} << 20)},
                      {"depth", Value(std::int64_t{4})},
                      {"direct", Value(std::int64_t{1})},
                      {"checksum", Value("xxh3")},
                      {"snapshot", Value(snapshot)},
                      {"gemm_n", Value(std::int64_t{256})},
                      {"numa", Value(std::int64_t{-1})},
                      {"gpu", Value(std::int64_t{0})}};
    SCOPED_TRACE(point.key());
    if (const auto why = checkpoint.unsupported(point)) GTEST_SKIP() << *why;
    const auto trial = checkpoint.prepare(point);
    trial->sampling_begins();
    EXPECT_EQ(trial->run(2).each_s.size(), 2U);
    trial->sampling_ends();
    const core::Verification seen = trial->verify();
    EXPECT_EQ(seen.result, core::Verification::Result::right) << seen.why;
    std::map<std::string, double> metrics;
    for (const core::Metric& metric : trial->metrics({})) metrics[metric.name] = metric.value;
    EXPECT_GT(metrics["snapshot_gb_per_s"], 0);
    EXPECT_GT(metrics["restore_gb_per_s"], 0);
  }
}

TEST_F(CheckpointOnDevice, IsOfWhatTheStateWasWhenItWasTaken) {
  DeviceState state(1 << 20, 0, -1);
  state.stamp(1);
  const host::Arena first = state.content();
  EXPECT_EQ(state.first_difference(first.as<std::byte>()), std::nullopt);
  state.stamp(2);
  EXPECT_EQ(state.first_difference(first.as<std::byte>()), 0U);
  state.restore(
      [&](std::span<std::byte> memory) { std::memcpy(memory.data(), first.data(), memory.size()); });
  EXPECT_EQ(state.first_difference(first.as<std::byte>()), std::nullopt);
}

}  // namespace
}  // namespace assay::offload
