// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/checkpoint/checkpoint_cases.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/measure.hpp"
#include "harness/core/tests/message_of.hpp"
#include "offload/checkpoint/storage_ring.hpp"
#include "offload/tests/temporary_folder.hpp"

namespace assay::offload {
namespace {

using core::Point;
using core::Value;
using tests::TemporaryFolder;

Point small() {
  return {{"bytes", Value(std::int64_t{1} << 20)}, {"shards", Value(std::int64_t{2})},
          {"block", Value(std::int64_t{65536})},   {"depth", Value(std::int64_t{4})},
          {"direct", Value(std::int64_t{1})},      {"checksum", Value("xxh3")}};
}

TEST(CheckpointCases, SaveAndRestoreAndAreRight) {
  if (const auto why = why_no_io_uring()) GTEST_SKIP() << *why;
  const TemporaryFolder folder;
  const RoomSettings settings{.checkpoint_folder = folder.path()};
  for (const core::Case& benchmark : checkpoint_cases(settings)) {
    Point point = small();
    point.set("snapshot", Value("concurrent"));
    point.set("gemm_n", Value(std::int64_t{64}));
    const auto trial = benchmark.prepare(point);
    trial->sampling_begins();
    const core::Timing timing = trial->run(3);
    EXPECT_EQ(timing.each_s.size(), 3U);
    EXPECT_GT(timing.seconds, 0);
    EXPECT_EQ(trial->verify().result, core::Verification::Result::right) << benchmark.name;
    EXPECT_EQ(benchmark.work(small()).bytes, 1 << 20);
  }
}

TEST(CheckpointCases, TellHowMuchOfSavingIsTheSync) {
  if (const auto why = why_no_io_uring()) GTEST_SKIP() << *why;
  const TemporaryFolder folder;
  const RoomSettings settings{.checkpoint_folder = folder.path()};
  const auto trial = checkpoint_cases(settings).front().prepare(small());
  trial->run(2);
  const auto metrics = trial->metrics({});
  ASSERT_EQ(metrics.size(), 1U);
  EXPECT_EQ(metrics[0].name, "sync_share");
  EXPECT_GT(metrics[0].value, 0);
  EXPECT_LT(metrics[0].value, 1);
}

TEST(CheckpointCases, OfADepthThatIsNoneSayWhatIsExpected) {
  const RoomSettings settings;
  Point point = small();
  point.set("depth", Value(std::int64_t{0}));
  EXPECT_EQ(core::tests::message_of([&] { checkpoint_cases(settings).front().prepare(point); }),
            "depth=0: expected 1 to 4096");
}

}  // namespace
}  // namespace assay::offload
