// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "harness/core/error.hpp"
#include "harness/core/measure/measure.hpp"
#include "harness/core/process/stop_request.hpp"
#include "harness/core/tests/message_of.hpp"
#include "harness/core/tests/temporary_folder.hpp"
#include "offload/storage/storage_job.hpp"
#include "offload/tests/case_lists.hpp"

namespace assay::offload {
namespace {

using core::Point;
using core::Value;
using core::tests::message_of;
using core::tests::TemporaryFolder;
using testing::HasSubstr;
using Result = core::Verification::Result;

Point small(const char* order = "random") {
  return {{"order", Value(order)},
          {"bytes", Value(std::int64_t{3} << 20)},
          {"block", Value(std::int64_t{8192})},
          {"depth", Value(std::int64_t{4})},
          {"jobs", Value(std::int64_t{2})},
          {"direct", Value(std::int64_t{0})},
          {"sync", Value("end")}};
}

class StorageCases : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto why = why_no_io_uring()) GTEST_SKIP() << *why;
  }
  std::vector<core::Case> both() const { return storage_cases({.module = &module_}); }
  core::Case read() const { return both().front(); }
  core::Case write() const { return both().back(); }

  TemporaryFolder folder_;
  ModuleSettings module_{.checkpoint_folder = folder_.path()};
};

TEST_F(StorageCases, AreRightInEveryOrderWithEverySyncOverMoreThanAPass) {
  for (const core::Case& one : both())
    for (const char* order : {"sequential", "random"})
      for (const char* sync : {"none", "end", "each"}) {
        const auto trial = one.prepare(small(order).set("sync", Value(sync)));
        EXPECT_GT(trial->run(1).seconds, 0);
        trial->sampling_begins();
        EXPECT_GT(trial->run(500).seconds, 0);  // a file has 192 blocks
        EXPECT_EQ(trial->verify().result, Result::right)
            << one.name << " " << order << " " << trial->verify().why;
      }
}

TEST_F(StorageCases, CountABlockOfEveryJobAndStateOperationsAndPercentiles) {
  EXPECT_EQ(read().work(small()).bytes, 2 * 8192);
  const auto trial = read().prepare(small());
  trial->run(10);
  trial->sampling_begins();
  trial->run(1500);
  std::vector<std::string> names;
  core::Measurement measurement;
  measurement.samples_s = {0.5e-3, 0.5e-3};
  const std::vector<core::Metric> metrics = trial->metrics(measurement);
  for (const core::Metric& metric : metrics) {
    names.push_back(metric.name);
    EXPECT_GT(metric.value, 0) << metric.name;
  }
  EXPECT_THAT(names, testing::ElementsAre("operations_per_s", "completion_median_us", "completion_p99_us",
                                          "completion_p999_us", "completion_max_us"))
      << "3000 operations of both jobs, those before sampling not counted, are enough for p99.9";
  EXPECT_DOUBLE_EQ(metrics[0].value, 4000);
}

TEST_F(StorageCases, StateHowTheyRanAndOnWhichFileSystem) {
  const auto facts = write().prepare(small())->facts();
  const auto fact = [&](const std::string& name) {
    const auto found = std::ranges::find(facts, name, &core::Fact::first);
    return found == facts.end() ? "none" : std::get<std::string>(found->second);
  };
  EXPECT_EQ(fact("engine"), "io_uring");
  EXPECT_EQ(fact("memory_pages"), "base");
  EXPECT_EQ(fact("page_cache"), "used, as asked");
  EXPECT_EQ(fact("sync_policy"), "fdatasync after each sample, counted");
  EXPECT_NE(fact("file_system"), "none");
  EXPECT_NE(fact("drive_model"), "none");
}

TEST_F(StorageCases, LeaveNoFileEvenWhileTheyRun) {
  const auto trial = read().prepare(small());
  trial->run(3);
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(StorageCases, EndTheLayingOutWhenAskedToStop) {
  core::request_stop();
  EXPECT_THAT(message_of([&] { read().prepare(small()); }), HasSubstr("asked to stop"));
  core::withdraw_stop_request();
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

/// Flips a bit of a job's file, which has no name, behind its back.
void flip(const StorageFile& file, off_t at) {
  char byte = 0;
  ASSERT_EQ(pread(file.descriptor(), &byte, 1, at), 1);
  byte = static_cast<char>(byte ^ 1);
  ASSERT_EQ(pwrite(file.descriptor(), &byte, 1, at), 1);
}

TEST_F(StorageCases, FindAFlippedBit) {
  for (const bool writes : {false, true}) {
    StorageSettings settings = storage_settings(small(), folder_.path(), writes);
    settings.sync = SyncPolicy::none;
    StorageJob job(settings, 1);
    job.run(20);
    EXPECT_EQ(job.first_wrong(), std::nullopt);
    flip(job.file(), 5 * 8192 + 4096 + 100);
    EXPECT_EQ(job.first_wrong(), "file 1: the 4096 bytes at byte 45056 are not what was written");
  }
}

TEST_F(StorageCases, RememberABlockThatWasWrongWhileTimed) {
  StorageJob job(storage_settings(small(), folder_.path(), false), 0);
  flip(job.file(), 3 * 8192);  // within a stamp
  job.run(192);
  flip(job.file(), 3 * 8192);  // right again
  EXPECT_EQ(job.first_wrong(), "file 0, byte 24576: read while timed, was not what lies there");
}

TEST_F(StorageCases, WithoutDirectAccessAreUnsupportedWithWhatToDo) {
  const StorageFile without("/proc/self/comm", Access::read, true);  // no file of proc knows O_DIRECT
  EXPECT_NO_THROW(require_direct(without, "/proc", false));
  EXPECT_THROW(require_direct(without, "/proc", true), core::Unsupported);
  EXPECT_EQ(message_of([&] { require_direct(without, "/proc", true); }),
            "the file system of /proc has no O_DIRECT: give another folder with --checkpoint-dir, or measure "
            "with --axis direct=0");
}

TEST_F(StorageCases, OnATmpfsWithoutDirectAccessAreUnsupported) {
  const std::filesystem::path tmpfs = "/dev/shm";
  if (access(tmpfs.c_str(), W_OK) != 0) GTEST_SKIP() << "may not write to " << tmpfs;
  if (StorageFile(tmpfs / "assay-storage-test", Access::update, true).is_direct())
    GTEST_SKIP() << "tmpfs has O_DIRECT (Linux 6.6 or later)";
  module_.checkpoint_folder = tmpfs;
  EXPECT_THROW(read().prepare(small().set("direct", Value(std::int64_t{1}))), core::Unsupported);
}

TEST_F(StorageCases, OfMoreThanIsFreeSaySoBeforeAnythingIsWritten) {
  EXPECT_THAT(
      message_of([&] {
        read().prepare(
            small().set("bytes", Value(std::int64_t{1} << 50)).set("block", Value(std::int64_t{1} << 30)));
      }),
      testing::MatchesRegex(".* has .* free, but the files of storage take 1024TiB: give another folder "
                            "with --checkpoint-dir, or fewer bytes"));
}

TEST_F(StorageCases, RefuseBadAxes) {
  const auto message = [&](const char* axis, std::int64_t value) {
    return message_of([&] { read().unsupported(small().set(axis, Value(value))); });
  };
  EXPECT_EQ(message("block", 1000), "block=1000: expected 4096 to 1073741824");
  EXPECT_EQ(message("block", 5000), "block=5000: expected a multiple of 4096 bytes");
  EXPECT_EQ(message("depth", 0), "depth=0: expected 1 to 4096");
  EXPECT_EQ(message("jobs", 0), "jobs=0: expected 1 to 256");
  EXPECT_EQ(message("direct", 2), "direct=2: expected 0 to 1");
  EXPECT_EQ(message("bytes", 8192),
            "bytes=8192: expected a multiple of 16384, a block of each of the 2 jobs");
}

TEST_F(StorageCases, OfMoreMemoryThanThereIsAreUnsupported) {
  Point point = small().set("bytes", Value(std::int64_t{1} << 50)).set("block", Value(std::int64_t{1} << 30));
  EXPECT_THAT(read().unsupported(point.set("depth", Value(std::int64_t{4096}))).value_or("none"),
              HasSubstr("the host memory of what is written and read needs "));
}

}  // namespace
}  // namespace assay::offload
