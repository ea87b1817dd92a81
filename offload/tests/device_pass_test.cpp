// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Dependencies between the three streams of a pass, played in many orders: every block must be computed with
// its own weights, and its own activations written back.
#include "offload/pipeline/device/device_pass.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "harness/core/error.hpp"
#include "harness/cuda/check.hpp"
#include "offload/tests/fakes/simulated_streams.hpp"

namespace assay::offload {
namespace {

using tests::queue_work;
using tests::run_one;

constexpr std::int64_t bytes = 16;
constexpr double fast_cap_gb_per_s = 1e6;

using Bytes = std::vector<std::byte>;
Bytes block_of(int value) { return Bytes(bytes, static_cast<std::byte>(value)); }

/// Blocks whose weights are i + 1 and whose activations must be i + 101, or 0 where weights were not theirs.
struct PlayedBlocks {
  explicit PlayedBlocks(const PipelineShape& its_shape) : shape(its_shape) {
    for (int i = 0; i < shape.blocks; ++i) {
      far_weights.push_back(block_of(i + 1));
      far_activations.push_back(block_of(0));
    }
    weights = activations = std::vector<Bytes>(static_cast<std::size_t>(shape.resident), block_of(0));
  }

  static std::size_t at(int index) { return static_cast<std::size_t>(index); }
  std::size_t slot(int block) const { return at(block % shape.resident); }
  PassWork work() {
    return {.compute_stream = compute.get(),
            .in_stream = in.get(),
            .out_stream = out.get(),
            .compute =
                [this](int block) {
                  ++queued;
                  queue_work(compute.get(), [this, block] { play(block); });
                },
            .transfer = [this](Direction direction, int block) -> Transfer {
              if (direction == Direction::in)
                return {far_weights[at(block)].data(), weights[slot(block)].data(), bytes};
              return {activations[slot(block)].data(), far_activations[at(block)].data(), bytes};
            }};
  }
  void play(int block) {
    ++computed;
    const bool its_own = weights[slot(block)] == block_of(block + 1);
    std::ranges::copy(block_of(its_own ? block + 101 : 0), activations[slot(block)].begin());
  }
  bool all_right() const {
    for (int i = 0; i < shape.blocks; ++i)
      if (far_activations[at(i)] != block_of(i + 101)) return false;
    return true;
  }

  PipelineShape shape;
  cuda::Stream compute = cuda::make_stream(), in = cuda::make_stream(), out = cuda::make_stream();
  std::vector<Bytes> far_weights, far_activations, weights, activations;
  int queued = 0, computed = 0;
};

TEST(DevicePass, ComputesAndWritesBackEveryBlockInWhateverOrderStreamsGoOn) {
  for (unsigned seed = 0; seed < 200; ++seed)
    for (const int resident : {1, 2, 3, 9})
      for (const double cap : {unlimited, fast_cap_gb_per_s})
        for (const int ahead : {1, 2, 7}) {
          std::mt19937 random(seed);
          PlayedBlocks blocks({.blocks = 7, .resident = resident});
          DevicePass pass(blocks.shape, {}, {cap, ahead}, blocks.work());
          while (!pass.over()) {
            if (random() % 2 == 0) pass.advance();
            run_one(random);
          }
          ASSERT_TRUE(blocks.all_right())
              << "seed " << seed << ", resident " << resident << ", cap " << cap << ", ahead " << ahead;
          ASSERT_EQ(blocks.computed, 7);
        }
}

TEST(DevicePass, WithoutACapIsQueuedBeforeAnyOfItRuns) {
  std::mt19937 random(1);
  PlayedBlocks blocks({.blocks = 7, .resident = 2});
  DevicePass pass(blocks.shape, {}, {}, blocks.work());
  for (int turn = 0; turn < 20 && !pass.all_queued(); ++turn) pass.advance();
  EXPECT_TRUE(pass.all_queued());
  EXPECT_FALSE(pass.over());
  while (run_one(random)) {
  }
  EXPECT_TRUE(pass.over());
  EXPECT_TRUE(blocks.all_right());
}

TEST(DevicePass, IsQueuedNoMoreBlocksAheadOfTheDeviceThanAsked) {
  std::mt19937 random(1);
  PlayedBlocks blocks({.blocks = 50, .resident = 50});
  DevicePass pass(blocks.shape, {}, {.ahead = 3}, blocks.work());
  for (int turn = 0; turn < 100; ++turn) pass.advance();
  EXPECT_EQ(blocks.queued, 3) << "nothing has run yet";
  while (!pass.over()) {
    pass.advance();
    ASSERT_LE(blocks.queued - blocks.computed, 3);
    ASSERT_TRUE(run_one(random));
  }
  EXPECT_TRUE(blocks.all_right());
}

TEST(RepeatedPasses, LeaveTheQueueToThePassThatIsTimed) {
  std::mt19937 random(1);
  PlayedBlocks blocks({.blocks = 50, .resident = 50}), timed({.blocks = 50, .resident = 50});
  RepeatedPasses beside([&] {
    return DevicePass(blocks.shape, {.fetched = 50, .computed = 0, .written = 50}, {.ahead = 3},
                      blocks.work());
  });
  beside.advance();
  EXPECT_EQ(blocks.queued, 3) << "and not a whole pass before the first block of the timed one";
  DevicePass pass(timed.shape, {}, {.ahead = 3}, timed.work());
  while (!pass.over()) {
    beside.advance();
    pass.advance();
    ASSERT_TRUE(run_one(random));
  }
  EXPECT_TRUE(timed.all_right());
  EXPECT_GT(blocks.computed, 50);
}

TEST(DevicePass, UnderACapHandsOverNoTransferBeforeTheDeviceIsThereForIt) {
  PlayedBlocks blocks({.blocks = 7, .resident = 2});
  DevicePass pass(blocks.shape, {}, {.cap_gb_per_s = fast_cap_gb_per_s}, blocks.work());
  for (int turn = 0; turn < 100; ++turn) pass.advance();
  EXPECT_FALSE(pass.all_queued());  // the third block needs the slot of the first, which nobody computed
}

TEST(DevicePass, HoldsItsEndsForThoseWhoTimeIt) {
  std::mt19937 random(1);
  PlayedBlocks blocks({.blocks = 3, .resident = 2});
  const cuda::Event begun = cuda::make_event(cuda::EventUse::timing);
  cuda::check(cudaEventRecord(begun.get(), blocks.compute.get()), "begin");
  DevicePass pass(blocks.shape, {}, {}, blocks.work());
  while (!pass.over()) {
    pass.advance();
    run_one(random);
  }
  EXPECT_GT(pass.end_s(Stage::fetch, begun), 0);
  EXPECT_GT(pass.end_s(Stage::compute, begun), pass.end_s(Stage::fetch, begun));
  EXPECT_GT(pass.end_s(Stage::write, begun), pass.end_s(Stage::compute, begun));
}

TEST(DevicePass, OfOneStageDoesNotWaitForTheOthers) {
  std::mt19937 random(1);
  PlayedBlocks blocks({.blocks = 7, .resident = 2});
  DevicePass fetching(blocks.shape, {.fetched = 0, .computed = 7, .written = 7}, {}, blocks.work());
  fetching.advance();
  EXPECT_TRUE(fetching.all_queued());
  while (run_one(random)) {
  }
  EXPECT_TRUE(fetching.over());
  EXPECT_EQ(blocks.computed, 0);
}

TEST(RepeatedPasses, KeepOneQueuedWhileAnotherRuns) {
  std::mt19937 random(1);
  PlayedBlocks blocks({.blocks = 4, .resident = 2});
  RepeatedPasses computing([&] {
    return DevicePass(blocks.shape, {.fetched = 4, .computed = 0, .written = 4}, {}, blocks.work());
  });
  for (int turn = 0; turn < 200; ++turn) {
    computing.advance();
    computing.advance();
    ASSERT_TRUE(run_one(random)) << "nothing is queued at turn " << turn;
  }
  EXPECT_GT(blocks.computed, 3 * 4);
}

TEST(LostGpu, EndsAPassWithOneLineAndTheProcessWithIt) {
  PlayedBlocks blocks({.blocks = 4, .resident = 2});
  DevicePass pass(blocks.shape, {}, {}, blocks.work());
  tests::answer_copies_with(cudaErrorECCUncorrectable);
  try {
    pass.advance();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const core::Error& error) {
    EXPECT_STREQ(error.what(), "queue what a block fetches: simulated (simulated, 214)");
    EXPECT_TRUE(error.poisons_process());
  }
  tests::answer_copies_with(cudaSuccess);
  EXPECT_TRUE(cuda::context_is_lost());
}

}  // namespace
}  // namespace assay::offload
