// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/tests/counting_transport.hpp"

#include <gtest/gtest.h>

#include "harness/core/error.hpp"

namespace assay::collectives {
namespace {

using Logs = std::vector<std::vector<TransferLog>>;

TEST(LongestChain, CountsOneStepForAnExchange) {
  EXPECT_EQ(longest_chain(Logs{{{{{1, 8}}, {{1, 8}}}}, {{{{0, 8}}, {{0, 8}}}}}), 1);
}

TEST(LongestChain, FollowsAMessageHandedOn) {
  // 0 -> 1 -> 2: rank 2 has one step, but it ends after two units.
  EXPECT_EQ(longest_chain(Logs{{{{{1, 8}}, {}}}, {{{}, {{0, 8}}}, {{{2, 8}}, {}}}, {{{}, {{1, 8}}}}}), 2);
}

TEST(LongestChain, OfNothingIsNothing) { EXPECT_EQ(longest_chain(Logs{{}, {}}), 0); }

TEST(LongestChain, OfAMessageThatNobodySentNamesTheRank) {
  EXPECT_THROW(longest_chain(Logs{{}, {{{}, {{0, 8}}}}}), core::Error);
}

TEST(SentIn, AddsUpMessagesAndBytes) {
  const Traffic traffic = sent_in({{{{1, 8}, {2, 4}}, {{1, 100}}}, {{{1, 0}}, {}}});
  EXPECT_EQ(traffic.messages, 3);
  EXPECT_EQ(traffic.bytes, 12);
}

}  // namespace
}  // namespace assay::collectives
