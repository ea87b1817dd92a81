// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/pipeline/copier.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
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
  const double began_s = core::steady_seconds();
  copy_until_over(fetching, 0.1);
  EXPECT_GE(core::steady_seconds() - began_s, blocks * bytes / 0.1e9);
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

/// Two transfers of one piece each way, and the order in which they ended.
class Recorded final : public HostTraffic {
 public:
  std::optional<Transfer> next(Direction direction) override {
    int& left = direction == Direction::in ? in_left_ : out_left_;
    if (left == 0) return std::nullopt;
    --left;
    return Transfer{from_.data(), to_.data(), piece_bytes};
  }
  void ended(Direction direction) override { order += direction == Direction::in ? 'i' : 'o'; }
  bool over() const override { return order.size() == 4; }

  std::string order;

 private:
  std::vector<std::byte> from_ = std::vector<std::byte>(piece_bytes), to_ = from_;
  int in_left_ = 2, out_left_ = 2;
};

TEST(Copier, LetsDirectionsTakeTurns) {
  Recorded traffic;
  copy_until_over(traffic, unlimited);
  EXPECT_EQ(traffic.order, "ioio");
}

}  // namespace
}  // namespace assay::offload
