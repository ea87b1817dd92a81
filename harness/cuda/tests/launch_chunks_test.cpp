// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/cuda/launch_chunks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace assay::cuda {
namespace {

using testing::ElementsAre;

TEST(LaunchChunks, FewIterationsAreOneChunk) {
  const LaunchChunks chunks = launch_chunks(67, 1, 512);
  EXPECT_TRUE(chunks.gated);
  EXPECT_THAT(chunks.iterations, ElementsAre(67));
}

TEST(LaunchChunks, ExactlyTheLimitIsStillOneChunk) {
  EXPECT_THAT(launch_chunks(512, 1, 512).iterations, ElementsAre(512));
  EXPECT_THAT(launch_chunks(64, 8, 512).iterations, ElementsAre(64));
}

TEST(LaunchChunks, OneMoreIsSplitEvenly) {
  EXPECT_THAT(launch_chunks(513, 1, 512).iterations, ElementsAre(257, 256));
}

TEST(LaunchChunks, NoIterationIsLostAndNoChunkExceedsTheQueue) {
  for (const std::int64_t launches : {1, 3, 7, 100, 512}) {
    const LaunchChunks chunks = launch_chunks(10'007, launches, 512);
    EXPECT_TRUE(chunks.gated);
    EXPECT_EQ(std::accumulate(chunks.iterations.begin(), chunks.iterations.end(), std::int64_t{0}), 10'007);
    for (const std::int64_t count : chunks.iterations) EXPECT_LE(count * launches, 512);
  }
}

TEST(LaunchChunks, AnIterationThatExceedsTheQueueIsNotGated) {
  const LaunchChunks chunks = launch_chunks(4, 513, 512);
  EXPECT_FALSE(chunks.gated);
  EXPECT_THAT(chunks.iterations, ElementsAre(4));
}

}  // namespace
}  // namespace assay::cuda
