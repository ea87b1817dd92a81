// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/checkpoint/checkpoint.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <numeric>

#include "harness/core/tests/message_of.hpp"
#include "harness/core/tests/temporary_folder.hpp"
#include "harness/host/arena.hpp"

namespace assay::offload {
namespace {

using core::tests::message_of;
using core::tests::TemporaryFolder;
using testing::HasSubstr;

constexpr std::int64_t bytes = 10 * direct_alignment;

class CheckpointTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto why = why_no_io_uring()) GTEST_SKIP() << *why;
  }
  CheckpointSettings settings(int shards) const {
    return {.folder = folder_.path(),
            .shards = {.shards = shards, .ring = {.block_bytes = 2 * direct_alignment, .depth = 4}}};
  }
  std::vector<std::filesystem::path> files() const {
    std::vector<std::filesystem::path> all;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) all.push_back(entry.path());
    std::ranges::sort(all);
    return all;
  }

  host::Arena state_{bytes, -1, host::Pages::base}, restored_{bytes, -1, host::Pages::base};

 private:
  TemporaryFolder folder_;
};

TEST_F(CheckpointTest, IsRestoredBitForBitFromAnyNumberOfShards) {
  const auto words = state_.as<std::uint32_t>();
  std::iota(words.begin(), words.end(), 7U);
  for (const int shards : {1, 3, 10}) {
    Checkpoint checkpoint(settings(shards), bytes);
    EXPECT_EQ(checkpoint.write(state_.as<std::byte>()).size(), static_cast<std::size_t>(shards));
    EXPECT_EQ(files().size(), static_cast<std::size_t>(shards));
    std::ranges::fill(restored_.as<std::byte>(), std::byte{0xff});
    checkpoint.read(restored_.as<std::byte>());
    EXPECT_TRUE(std::ranges::equal(restored_.as<std::byte>(), state_.as<std::byte>())) << shards;
  }
  EXPECT_TRUE(files().empty());
}

TEST_F(CheckpointTest, NoticesAFlippedBitInAShard) {
  Checkpoint checkpoint(settings(2), bytes);
  checkpoint.write(state_.as<std::byte>());
  std::fstream(files()[1], std::ios::in | std::ios::out | std::ios::binary).seekp(4097).put(1);
  EXPECT_THAT(message_of([&] { checkpoint.read(restored_.as<std::byte>()); }),
              HasSubstr("-1.shard: its bytes are not those that were written (checksum "));
}

TEST_F(CheckpointTest, NoticesAShardThatWasCutShort) {
  Checkpoint checkpoint(settings(1), bytes);
  checkpoint.write(state_.as<std::byte>());
  std::filesystem::resize_file(files()[0], 4096);
  EXPECT_THAT(message_of([&] { checkpoint.read(restored_.as<std::byte>()); }),
              testing::MatchesRegex(".*-0.shard: the file ends at byte [0-9]+, expected 40960"));
}

TEST_F(CheckpointTest, WithMoreShardsThanBlocksIsRefused) {
  EXPECT_EQ(
      message_of([&] { Checkpoint(settings(11), bytes); }),
      "a checkpoint of 40960 bytes in 11 shards: expected at least one shard, each of whole blocks of 4096 "
      "bytes");
}

TEST_F(CheckpointTest, OfOddBlocksIsRefused) {
  CheckpointSettings odd = settings(1);
  odd.shards.ring.block_bytes = 5000;
  EXPECT_EQ(message_of([&] { Checkpoint(odd, bytes); }), "block=5000: expected a multiple of 4096 bytes");
}

}  // namespace
}  // namespace assay::offload
