// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/pipeline/copier.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include "offload/pipeline/stages.hpp"

namespace assay::offload {
namespace {

/// Blocks of whole and part pieces in plain memory, in a far and a near place.
class Copying : public testing::Test {
 protected:
  static constexpr int blocks = 3;
  static constexpr std::int64_t bytes = 2 * piece_bytes + 100;

  Transfer transfer(Direction direction, int block) {
    const std::int64_t at = block * bytes;
    if (direction == Direction::in) return {far_.data() + at, near_.data() + at, bytes};
    return {near_.data() + at, back_.data() + at, bytes};
  }
  BlockTraffic traffic(Stages& stages) {
    return {{.blocks = blocks, .resident = blocks}, stages, stop_, [this](Direction direction, int block) {
              return transfer(direction, block);
            }};
  }

  std::vector<std::byte> far_{static_cast<std::size_t>(blocks * bytes), std::byte{7}};
  std::vector<std::byte> near_{far_.size()}, back_{far_.size()};
  std::atomic<bool> stop_{false};
};

TEST_F(Copying, MovesEveryByteOfEveryBlockThereAndBack) {
  // No block can be written back before it came: with computing through, only fetching holds writing up.
  Stages in({.fetched = 0, .computed = blocks, .written = blocks});
  BlockTraffic fetching = traffic(in);
  copy_until_over(fetching, unlimited);
  EXPECT_EQ(near_, far_);
  Stages out({.fetched = blocks, .computed = blocks, .written = 0});
  BlockTraffic writing = traffic(out);
  copy_until_over(writing, unlimited);
  EXPECT_EQ(back_, far_);
  EXPECT_TRUE(writing.complete());
}

TEST_F(Copying, IsNoFasterThanItsCap) {
  Stages stages({.fetched = 0, .computed = blocks, .written = blocks});
  BlockTraffic fetching = traffic(stages);
  const double began_s = now_s();
  copy_until_over(fetching, 0.1);
  EXPECT_GE(now_s() - began_s, blocks * bytes / 0.1e9);
}

TEST_F(Copying, ThatIsStoppedLeavesTheRest) {
  stop_ = true;
  Stages stages({.fetched = 0, .computed = blocks, .written = 0});
  BlockTraffic both = traffic(stages);
  copy_until_over(both, unlimited);
  EXPECT_FALSE(both.complete());
}

TEST_F(Copying, WaitsForWhatIsNotComputed) {
  Stages stages({.fetched = blocks, .computed = 1, .written = 0});
  BlockTraffic writing = traffic(stages);
  EXPECT_TRUE(writing.next(Direction::out).has_value());
  writing.ended(Direction::out);
  EXPECT_FALSE(writing.next(Direction::out).has_value());
  EXPECT_FALSE(writing.next(Direction::in).has_value());
}

TEST_F(Copying, LetsDirectionsTakeTurns) {
  Stages stages({.fetched = 0, .computed = blocks, .written = 0});
  BlockTraffic both = traffic(stages);
  const double began_s = now_s();
  copy_until_over(both, unlimited);
  // As many bytes each: neither is through before the other is nearly so.
  const double in_s = both.ended_s(Direction::in) - began_s, out_s = both.ended_s(Direction::out) - began_s;
  EXPECT_GT(std::min(in_s, out_s), 0.5 * std::max(in_s, out_s));
}

}  // namespace
}  // namespace assay::offload
