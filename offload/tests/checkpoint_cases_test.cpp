// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "harness/core/measure/measure.hpp"
#include "harness/core/tests/temporary_folder.hpp"
#include "harness/workload/host_library.hpp"
#include "offload/checkpoint/storage/storage_ring.hpp"
#include "offload/tests/case_lists.hpp"

namespace assay::offload {
namespace {

using core::Point;
using core::Value;
using core::tests::TemporaryFolder;

Point small() {
  return {{"bytes", Value(std::int64_t{1} << 20)}, {"shards", Value(std::int64_t{2})},
          {"block", Value(std::int64_t{65536})},   {"depth", Value(std::int64_t{4})},
          {"direct", Value(std::int64_t{1})},      {"checksum", Value("xxh3")}};
}

TEST(CheckpointCases, SaveAndRestoreAndAreRight) {
  if (const auto why = why_no_io_uring()) GTEST_SKIP() << *why;
  const TemporaryFolder folder;
  const ModuleSettings settings{.checkpoint_folder = folder.path()};
  for (const core::Case& benchmark : checkpoint_cases({.module = &settings})) {
    Point point = small();
    point.set("snapshot", Value("concurrent"));
    point.set("gemm_n", Value(std::int64_t{64}));
    const auto trial = benchmark.prepare(point);
    trial->sampling_begins();
    const core::Timing timing = trial->run(3);
    EXPECT_EQ(timing.each_s.size(), 3U);
    EXPECT_GT(timing.seconds, 0);
    EXPECT_EQ(trial->verify().result, core::Verification::Result::right) << benchmark.name;
    EXPECT_EQ(benchmark.work(point).bytes, 1 << 20);
  }
}

TEST(CheckpointCases, DuringComputeNeedALibraryForItsProducts) {
  const ModuleSettings settings;
  Point point = small();
  point.set("snapshot", Value("blocking")).set("gemm_n", Value(std::int64_t{64}));
  EXPECT_EQ(checkpoint_cases({.module = &settings}).back().not_built(point), workload::onednn().not_built());
}

TEST(CheckpointCases, TellHowMuchOfSavingIsTheSync) {
  if (const auto why = why_no_io_uring()) GTEST_SKIP() << *why;
  const TemporaryFolder folder;
  const ModuleSettings settings{.checkpoint_folder = folder.path()};
  const auto trial = checkpoint_cases({.module = &settings}).front().prepare(small());
  trial->run(2);
  const auto metrics = trial->metrics({});
  ASSERT_EQ(metrics.size(), 1U);
  EXPECT_EQ(metrics[0].name, "sync_share");
  EXPECT_GT(metrics[0].value, 0);
  EXPECT_LT(metrics[0].value, 1);
}

TEST(CheckpointCases, RefuseBadAxesBeforeAnythingIsDone) {
  const ModuleSettings settings;
  for (const core::Case& benchmark : checkpoint_cases({.module = &settings})) {
    const auto message = [&](const char* axis, std::int64_t value) {
      Point point = small();
      point.set("gemm_n", Value(std::int64_t{64})).set(axis, Value(value));
      try {
        benchmark.unsupported(point);
      } catch (const core::Error& error) {
        EXPECT_EQ(error.kind(), core::ErrorKind::usage);
        return std::string(error.what());
      }
      return std::string("nothing was thrown");
    };
    EXPECT_EQ(message("block", 1000), "block=1000: expected 4096 to 1073741824");
    EXPECT_EQ(message("block", 5000), "block=5000: expected a multiple of 4096 bytes");
    EXPECT_EQ(message("depth", 0), "depth=0: expected 1 to 4096");
    EXPECT_EQ(message("depth", 100'000), "depth=100000: expected 1 to 4096");
    EXPECT_EQ(message("shards", 0), "shards=0: expected 1 to 256");
    EXPECT_EQ(message("bytes", 0), "bytes=0: expected 4096 to 1125899906842624");
    EXPECT_EQ(message("bytes", 5000), "bytes=5000: expected a multiple of 4096");
    EXPECT_THAT(message("bytes", 4096), testing::StartsWith("a checkpoint of 4096 bytes in 2 shards"));
  }
}

TEST(CheckpointCases, OfMoreMemoryThanThereIsAreUnsupportedWithTheBytes) {
  if (const auto why = why_no_io_uring()) GTEST_SKIP() << *why;
  const ModuleSettings settings;
  Point point = small();
  point.set("bytes", Value(std::int64_t{1} << 50)).set("gemm_n", Value(std::int64_t{64}));
  point.set("snapshot", Value("blocking"));
  const std::vector<core::Case> cases = checkpoint_cases({.module = &settings});
  for (const std::size_t one_stage : {0U, 1U})
    EXPECT_THAT(cases[one_stage].unsupported(point).value_or("none"),
                testing::MatchesRegex("the host memory of the state and of what is read back needs "
                                      "2251799813685248 bytes and [0-9]+ are available"));
  EXPECT_THAT(cases[2].unsupported(point).value_or("none"),
              testing::StartsWith("the host memory of the state, its snapshot, its check and the products "
                                  "next to it needs 33776997205"));
}

}  // namespace
}  // namespace assay::offload
