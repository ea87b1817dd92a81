// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The bytes that a step moves to the host, counted matrix by matrix on a small model.
#include "harness/training/host_traffic.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace assay::training {
namespace {

constexpr std::int64_t host_hidden = 64, host_feed_forward = 96, host_layers = 3, host_tokens = 10,
                       host_ranks = 4;

HostStep step_that_holds(HostHolds holds) {
  return host_step({.model = {.name = "small",
                              .hidden = host_hidden,
                              .feed_forward = host_feed_forward,
                              .heads = 4,
                              .kv_heads = 2,
                              .head_size = 16,
                              .gated = true,
                              .layers = host_layers},
                    .tokens = host_tokens,
                    .ranks = host_ranks,
                    .flops_per_s = 1e9,
                    .holds = holds});
}

/// Element by element: query and output, key and value, two up and one down.
std::int64_t parameters_one_by_one() {
  std::int64_t elements = 0;
  for (const auto& [rows, columns] : {std::pair{host_hidden, 64L},
                                      {host_hidden, 32L},
                                      {host_hidden, 32L},
                                      {64L, host_hidden},
                                      {host_hidden, host_feed_forward},
                                      {host_hidden, host_feed_forward},
                                      {host_feed_forward, host_hidden}})
    for (std::int64_t row = 0; row < rows; ++row)
      for (std::int64_t column = 0; column < columns; ++column) ++elements;
  return elements;
}

TEST(HostStep, OfAnOptimizerSendsGradientsAndGetsWeights) {
  const HostStep step = step_that_holds({.optimizer = true});
  const double bytes = 2.0 * host_layers * static_cast<double>(parameters_one_by_one()) / host_ranks;
  EXPECT_DOUBLE_EQ(step.bytes(true), bytes);
  EXPECT_DOUBLE_EQ(step.bytes(false), bytes);
  ASSERT_EQ(step.transfers.size(), 2U * host_layers);
  EXPECT_EQ(step.transfers[0].after, host_layers + 1U) << "the last block's backward pass is the first";
  EXPECT_EQ(step.transfers.back().after, 2U * host_layers);
}

TEST(HostStep, OfActivationsBringsBackEachBlocksBeforeItsBackwardPass) {
  const HostStep step = step_that_holds({.activations = true});
  EXPECT_DOUBLE_EQ(step.bytes(true), 2.0 * host_layers * host_tokens * host_hidden);
  EXPECT_DOUBLE_EQ(step.bytes(false), step.bytes(true));
  for (std::size_t block = 0; block < host_layers; ++block) {
    EXPECT_EQ(step.transfers[block].after, block + 1);
    const auto back = std::ranges::find(
        step.transfers, block, [](const HostTransfer& one) { return one.brings_back.value_or(host_layers); });
    ASSERT_NE(back, step.transfers.end());
    EXPECT_EQ(back->before, 2 * host_layers - 1 - block);
    EXPECT_LE(back->after, *back->before) << "else the pass would wait for itself";
  }
}

TEST(HostStep, OfACheckpointSendsFourteenBytesAParameter) {
  const HostStep step = step_that_holds({.checkpoint = true});
  EXPECT_DOUBLE_EQ(step.bytes(true),
                   14.0 * host_layers * static_cast<double>(parameters_one_by_one()) / host_ranks);
  EXPECT_EQ(step.bytes(false), 0);
}

TEST(HostStep, ComputesBackwardForTwiceAsLong) {
  const HostStep step = step_that_holds({});
  ASSERT_EQ(step.pass_s.size(), 2U * host_layers);
  const double products = 2.0 * static_cast<double>(parameters_one_by_one()) * host_tokens,
               attention = 4.0 * host_tokens * host_tokens * 64;
  EXPECT_DOUBLE_EQ(step.pass_s.front(), 1e-9 * (products + attention));
  EXPECT_DOUBLE_EQ(step.compute_s(), 3 * host_layers * step.pass_s.front());
  EXPECT_TRUE(step.transfers.empty());
}

TEST(HostStep, OfEverythingIsTheSumOfItsParts) {
  const HostStep all = step_that_holds({.optimizer = true, .activations = true, .checkpoint = true});
  EXPECT_DOUBLE_EQ(all.bytes(true), step_that_holds({.optimizer = true}).bytes(true) +
                                        step_that_holds({.activations = true}).bytes(true) +
                                        step_that_holds({.checkpoint = true}).bytes(true));
}

}  // namespace
}  // namespace assay::training
