// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/checkpoint/group_restore.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "harness/core/error.hpp"
#include "harness/core/tests/temporary_folder.hpp"
#include "offload/tests/case_lists.hpp"

namespace assay::offload {
namespace {

using core::Point;
using core::Value;
using core::tests::TemporaryFolder;
using testing::HasSubstr;

constexpr std::int64_t group_bytes = 5 << 20;

GroupRestore::Settings group_of(const TemporaryFolder& folder, RestoreMode mode, int ranks, int shards) {
  return {.checkpoint = {.folder = folder.path(),
                         .shards = {.shards = shards, .ring = {.block_bytes = 65536, .depth = 4}}},
          .bytes = group_bytes,
          .ranks = ranks,
          .mode = mode};
}

class GroupOfRanks : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto why = why_no_io_uring()) GTEST_SKIP() << *why;
  }
  /// Changes one byte of the only shard whose name ends so.
  void damage(const std::string& ending) const {
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      if (!entry.path().string().ends_with(ending)) continue;
      std::fstream file(entry.path(), std::ios::binary | std::ios::in | std::ios::out);
      char byte = 0;
      file.seekg(70'000).get(byte);
      file.seekp(70'000).put(static_cast<char>(byte ^ 64));
    }
  }
  static std::string failure_of(GroupRestore& group) {
    try {
      group.run();
    } catch (const core::Error& error) {
      return error.what();
    }
    return "nothing";
  }
  TemporaryFolder folder_;
};

TEST_F(GroupOfRanks, HasItsStateBackWhoeverReads) {
  for (const RestoreMode mode : {RestoreMode::all_read, RestoreMode::one_reads})
    for (const int shards : {1, 3}) {
      GroupRestore group(group_of(folder_, mode, 3, shards));
      EXPECT_NE(group.first_wrong(), std::nullopt) << "nothing is there yet";
      const GroupRestore::Times times = group.run();
      EXPECT_EQ(group.first_wrong(), std::nullopt);
      EXPECT_GT(times.read_s, 0);
      EXPECT_GE(times.all_s, times.read_s);
    }
}

TEST_F(GroupOfRanks, NoticesPlantedFaultsAndHasTheStateAfterwards) {
  for (const RestoreMode mode : {RestoreMode::all_read, RestoreMode::one_reads}) {
    GroupRestore group(group_of(folder_, mode, 3, 2));
    EXPECT_EQ(group.unnoticed_fault(), std::nullopt);
    group.run();
    EXPECT_EQ(group.first_wrong(), std::nullopt);
  }
}

TEST_F(GroupOfRanks, EndsForAllRanksWithTheDamagedShardsName) {
  for (const RestoreMode mode : {RestoreMode::all_read, RestoreMode::one_reads}) {
    GroupRestore group(group_of(folder_, mode, 3, 2));
    damage("-1.shard");
    EXPECT_THAT(failure_of(group), HasSubstr("-1.shard: its bytes are not those that were written"));
  }
}

TEST_F(GroupOfRanks, EndsForAllRanksWhereTheReaderFindsNoShard) {
  GroupRestore group(group_of(folder_, RestoreMode::one_reads, 3, 2));
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
    std::filesystem::remove(entry.path());
  EXPECT_THAT(failure_of(group), HasSubstr("-0.shard"));
}

TEST(ShardChecksums, OfBytesInMemoryAreThoseOfTheFile) {
  if (const auto why = why_no_io_uring()) GTEST_SKIP() << *why;
  const TemporaryFolder folder;
  const CheckpointSettings settings{.folder = folder.path(),
                                    .shards = {.shards = 2, .ring = {.block_bytes = 65536, .depth = 4}}};
  const host::Arena memory(group_bytes, -1, host::Pages::base);
  memory.as<std::byte>()[3'000'000] = std::byte{7};
  Checkpoint checkpoint(settings, group_bytes);
  checkpoint.write(memory.as<std::byte>());
  for (const Shard& shard : checkpoint.shards())
    EXPECT_EQ(checksum_of(memory.as<std::byte>().subspan(static_cast<std::size_t>(shard.offset),
                                                         static_cast<std::size_t>(shard.bytes)),
                          65536),
              shard.checksum);
}

Point group_point(const char* mode) {
  return {{"bytes", Value(std::int64_t{1} << 20)},
          {"shards", Value(std::int64_t{2})},
          {"block", Value(std::int64_t{65536})},
          {"depth", Value(std::int64_t{4})},
          {"direct", Value(std::int64_t{1})},
          {"ranks", Value(std::int64_t{3})},
          {"mode", Value(mode)}};
}

TEST(GroupRestoreCase, CountsWhatIsReadAndWhatIsPassedOn) {
  if (const auto why = why_no_io_uring()) GTEST_SKIP() << *why;
  const TemporaryFolder folder;
  const ModuleSettings settings{.checkpoint_folder = folder.path()};
  const core::Case benchmark = group_restore_cases({.module = &settings}).front();
  const auto measured = [&](const char* mode) {
    const auto trial = benchmark.prepare(group_point(mode));
    trial->sampling_begins();
    EXPECT_EQ(trial->run(3).each_s.size(), 3U);
    EXPECT_EQ(trial->verify().result, core::Verification::Result::right);
    std::map<std::string, double> values;
    for (const core::Metric& metric : trial->metrics({})) values[metric.name] = metric.value;
    return values;
  };
  const auto all = measured("all_read"), one = measured("one_reads");
  EXPECT_EQ(all.at("storage_bytes"), 3 << 20);
  EXPECT_EQ(all.at("link_bytes"), 0);
  EXPECT_EQ(one.at("storage_bytes"), 1 << 20);
  EXPECT_EQ(one.at("link_bytes"), 2 << 20);
  EXPECT_GE(one.at("restore_s_per_gb"), one.at("read_s_per_gb"));
}

TEST(GroupRestoreCase, RefusesBadAxes) {
  const ModuleSettings settings;
  const core::Case benchmark = group_restore_cases({.module = &settings}).front();
  try {
    benchmark.work(group_point("all_read").set("ranks", std::int64_t{1}));
    ADD_FAILURE() << "a group of one was accepted";
  } catch (const core::Error& error) {
    EXPECT_EQ(error.kind(), core::ErrorKind::usage);
    EXPECT_STREQ(error.what(), "ranks=1: expected 2 to 256");
  }
}

}  // namespace
}  // namespace assay::offload
