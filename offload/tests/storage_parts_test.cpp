// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "harness/core/statistics/statistics.hpp"
#include "harness/core/tests/temporary_folder.hpp"
#include "offload/storage/access_order.hpp"
#include "offload/storage/block_pattern.hpp"
#include "offload/storage/drive.hpp"
#include "offload/storage/latency_counts.hpp"

namespace assay::offload {
namespace {

using core::tests::TemporaryFolder;
using testing::ElementsAre;

std::vector<std::size_t> pass_of(AccessOrder& order) {
  std::vector<std::size_t> blocks;
  for (std::size_t left = order.left_in_pass(); left > 0; --left) blocks.push_back(order.next());
  return blocks;
}

TEST(AccessOrder, AtRandomTakesEveryBlockOnceInEveryPassAndEachPassInAnotherOrder) {
  constexpr std::size_t blocks = 1000;
  AccessOrder order(blocks, true, 7);
  const std::vector<std::size_t> first = pass_of(order), second = pass_of(order);
  for (const auto& pass : {first, second}) {
    const std::set<std::size_t> taken(pass.begin(), pass.end());
    EXPECT_EQ(taken.size(), blocks);
    EXPECT_EQ(*taken.rbegin(), blocks - 1);
    EXPECT_FALSE(std::ranges::is_sorted(pass));
  }
  EXPECT_NE(first, second);
  AccessOrder other(blocks, true, 8);
  EXPECT_NE(pass_of(other), first);
}

TEST(AccessOrder, AtRandomPlacesNoBlockMoreOftenThanOthers) {
  AccessOrder order(4, true, 1);
  std::vector<int> firsts(4);
  for (int pass = 0; pass < 4000; ++pass) ++firsts[pass_of(order).front()];
  for (const int count : firsts) EXPECT_NEAR(count, 1000, 150);  // 5 standard deviations
}

TEST(AccessOrder, InSequenceBeginsAgain) {
  AccessOrder order(3, false, 0);
  order.next();
  EXPECT_EQ(order.left_in_pass(), 2U);
  EXPECT_THAT(pass_of(order), ElementsAre(1, 2));
  EXPECT_THAT(pass_of(order), ElementsAre(0, 1, 2));
}

TEST(LatencyCounts, HaveTheQuantilesOfTheTimesWithinARange) {
  LatencyCounts counts, half;
  std::vector<double> times;
  for (int at = 0; at < 10'000; ++at) {
    times.push_back(1e-7 * (1 + at * at / 100.0));
    (at % 2 == 0 ? counts : half).add(times.back());
  }
  counts.add(half);
  EXPECT_EQ(counts.operations(), 10'000);
  for (const double q : {0.5, 0.99, 0.999}) {
    const double exact = core::quantile_of(times, q);
    EXPECT_NEAR(counts.quantile_s(q).value_or(0), exact, exact / 100) << q;
  }
  EXPECT_NEAR(counts.max_s(), times.back(), 1e-9);
}

TEST(LatencyCounts, OfFewOperationsHaveNoQuantileInTheTail) {
  LatencyCounts counts;
  for (int at = 0; at < 298; ++at) counts.add(1e-5);
  EXPECT_TRUE(counts.quantile_s(0.5).has_value());
  EXPECT_FALSE(counts.quantile_s(0.99).has_value());
  counts.add(1e-5);
  EXPECT_DOUBLE_EQ(counts.quantile_s(0.99).value_or(0), 1e-5);
  EXPECT_FALSE(counts.quantile_s(0.999).has_value());
  counts.clear();
  EXPECT_FALSE(counts.quantile_s(0.5).has_value());
}

TEST(LatencyCounts, TakeAnyTime) {
  LatencyCounts counts;
  for (int at = 0; at < 9; ++at) counts.add(1e9);
  counts.add(-1);
  EXPECT_NEAR(counts.quantile_s(0.5).value_or(0), 4398, 1);  // the longest that is told apart
}

class BlockPatternTest : public testing::Test {
 protected:
  std::vector<std::byte> filler_ = std::vector<std::byte>(16 * 4096);
  BlockPattern pattern_{filler_, 3, 64 * 4096, 8192};
};

TEST_F(BlockPatternTest, FindsEveryFlippedBit) {
  const auto block = std::span(filler_).subspan(4 * 4096, 8192);
  pattern_.stamp(block, 5 * 8192);
  std::vector<std::byte> read(block.begin(), block.end());
  EXPECT_EQ(pattern_.first_wrong(read, 5 * 8192), std::nullopt);
  for (const std::size_t at : {0U, 7U, 8U, 15U, 16U, 4095U, 4096U, 4104U, 8191U}) {
    read[at] ^= std::byte{1};
    EXPECT_EQ(pattern_.first_wrong(read, 5 * 8192), 5 * 8192 + static_cast<std::int64_t>(at / 4096 * 4096))
        << at;
    read[at] ^= std::byte{1};
  }
}

TEST_F(BlockPatternTest, FindsABlockOfAnotherPlaceFileOrTime) {
  const auto block = std::span(filler_).first(8192);
  pattern_.stamp(block, 0);
  EXPECT_EQ(pattern_.first_misplaced(block, 0), std::nullopt);
  EXPECT_EQ(pattern_.first_misplaced(block, 8192), 8192);
  EXPECT_EQ(pattern_.first_misplaced(block.last(4096), 0), 0) << "half a block off";
  std::vector<std::byte> same(filler_.size());
  EXPECT_EQ(BlockPattern(same, 4, 64 * 4096, 8192).first_misplaced(block, 0), 0) << "of another file";
  pattern_.renew(0);
  EXPECT_EQ(pattern_.first_misplaced(block, 0), 0) << "a write that was lost";
  pattern_.stamp(block, 0);
  EXPECT_EQ(pattern_.first_wrong(block, 0), std::nullopt);
}

class DriveTest : public testing::Test {
 protected:
  void put(const std::string& path, const std::string& text) {
    const std::filesystem::path file = folder_.path() / path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text << "\n";
  }
  void link(const std::string& from, const std::string& to) {
    const std::filesystem::path file = folder_.path() / from;
    std::filesystem::create_directories(file.parent_path());
    std::filesystem::create_symlink(to, file);
  }
  Drive drive(const std::string& folder) const {
    return drive_of(folder, machine::Tree(folder_.path().string()));
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(DriveTest, IsTheOneOfTheDeepestMountAndAPartitionHasItsDisksModel) {
  put("proc/self/mountinfo",
      "27 1 259:1 / / rw shared:1 - ext4 /dev/sda1 rw\n"
      "30 27 259:2 / /data rw - xfs /dev/nvme0n1p1 rw\n"
      "31 27 0:40 / /data/my\\040mount rw - nfs4 server:/export rw\n"
      "32 27 0:41 / /database rw - tmpfs tmpfs rw");
  put("sys/devices/nvme0n1/device/model", "SAMSUNG MZQL23T8HCLS-00A07");
  put("sys/devices/nvme0n1/nvme0n1p1/partition", "1");
  link("sys/class/block/nvme0n1p1", "../../devices/nvme0n1/nvme0n1p1");
  EXPECT_EQ(drive("/data/a").file_system, "xfs");
  EXPECT_EQ(drive("/data/a").model, "SAMSUNG MZQL23T8HCLS-00A07");
  EXPECT_EQ(drive("/data/my mount/a").source, "server:/export");
  EXPECT_EQ(drive("/data/my mount/a").model, "");
  EXPECT_EQ(drive("/datab").source, "/dev/sda1");
  EXPECT_EQ(drive("/datab").model, "") << "not stated";
}

TEST_F(DriveTest, OfAVolumeOfSeveralIsAllOfThem) {
  put("proc/self/mountinfo", "27 1 253:0 / / rw - ext4 /dev/mapper/group-volume rw");
  put("dev/dm-0", "");
  link("dev/mapper/group-volume", "../dm-0");
  for (const std::string disk : {"sda", "sdb"}) {
    put("sys/class/block/" + disk + "/device/model", "DISK " + disk);
    put("sys/class/block/dm-0/slaves/" + disk + "/size", "1");
  }
  EXPECT_EQ(drive("/").model, "DISK sda + DISK sdb");
}

TEST_F(DriveTest, IsEmptyWhereTheKernelTellsNothing) { EXPECT_EQ(drive("/").file_system, ""); }

}  // namespace
}  // namespace assay::offload
