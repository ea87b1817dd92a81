// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/drawn_blocks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace assay::model::fabric {
namespace {

std::vector<double> blocks_of(const BlockBytes& blocks, int ranks) {
  std::vector<double> all;
  for (int from = 0; from < ranks; ++from)
    for (int to = 0; to < ranks; ++to) all.push_back(static_cast<double>(blocks(from, to)));
  return all;
}

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

TEST(DrawnBlocks, AreExponentialWithTheMeanOfEqualOnes) {
  const std::vector<double> blocks = blocks_of(exponential_blocks({200, 200'000'000}, 5), 200);
  const double mean = mean_of(blocks);
  double squares = 0;
  for (const double block : blocks) squares += (block - mean) * (block - mean);
  // 40,000 draws: the mean's standard error is 0.5 %, that of the deviation 0.7 %.
  EXPECT_NEAR(mean / 1e6, 1, 0.015);
  EXPECT_NEAR(std::sqrt(squares / static_cast<double>(blocks.size())) / 1e6, 1, 0.03);
  const auto above_mean = std::ranges::count_if(blocks, [](double block) { return block > 1e6; });
  EXPECT_NEAR(static_cast<double>(above_mean) / 40'000, std::exp(-1), 0.01);
}

TEST(DrawnBlocks, AreTheSameForTheSameSeedOnly) {
  for (const auto draw : {exponential_blocks, zipf_blocks}) {
    EXPECT_EQ(blocks_of(draw({16, 1 << 20}, 3), 16), blocks_of(draw({16, 1 << 20}, 3), 16));
    EXPECT_NE(blocks_of(draw({16, 1 << 20}, 3), 16), blocks_of(draw({16, 1 << 20}, 4), 16));
  }
}

TEST(DrawnBlocks, FallAsOneOverThePlaceUnderZipf) {
  const BlockBytes blocks = zipf_blocks({4, 25'000}, 1);  // 1 + 1/2 + 1/3 + 1/4 = 25/12
  std::vector<std::uint64_t> row;
  for (int to = 0; to < 4; ++to) {
    row.push_back(blocks(0, to));
    EXPECT_EQ(blocks(3, to), row.back()) << "popular with all senders";
  }
  std::ranges::sort(row, std::greater());
  EXPECT_EQ(row, (std::vector<std::uint64_t>{12'000, 6'000, 4'000, 3'000}));
}

}  // namespace
}  // namespace assay::model::fabric
