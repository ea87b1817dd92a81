// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/workload/chakra/traced_sends.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "model/workload/chakra/traced_step.hpp"

namespace assay::model::workload {
namespace {

using testing::ElementsAre;
using training::StepOperation;
using training::Traffic;

TraceNode message(Side side, std::int64_t peer, double bytes = 64) {
  return {.bytes = bytes, .side = side, .peer = peer};
}
TraceNode send(std::int64_t to, double bytes = 64) { return message(Side::sends, to, bytes); }
TraceNode receive(std::int64_t from, double bytes = 64) { return message(Side::receives, from, bytes); }

/// One trace a rank, each node after the one before it.
std::vector<Trace> traces_of(std::vector<std::vector<TraceNode>> by_rank) {
  std::vector<Trace> traces;
  for (std::vector<TraceNode>& nodes : by_rank) {
    for (std::size_t at = 1; at < nodes.size(); ++at) nodes[at].before = {at - 1};
    traces.push_back({.file = "t.0.et", .nodes = std::move(nodes)});
  }
  return traces;
}

std::vector<StepOperation> operations_of(const std::vector<Trace>& traces, std::uint32_t ranks) {
  const training::TrainingStep step = traced_step(traces, ranks).step;
  EXPECT_EQ(step.streams.size(), 1U);
  return step.streams.front().operations;
}

/// Sender, receiver, bytes.
std::vector<std::vector<std::uint64_t>> messages_of(const StepOperation& one) {
  std::vector<std::vector<std::uint64_t>> messages;
  for (std::uint64_t from = 0; from < one.matrix->size(); ++from)
    for (std::uint64_t to = 0; to < one.matrix->size(); ++to)
      if ((*one.matrix)[from][to] > 0) messages.push_back({from, to, (*one.matrix)[from][to]});
  return messages;
}

TEST(TracedSends, OfOneTraceAreShiftsOfAllRanks) {
  const auto traces = traces_of({{send(1, 4096), receive(7, 4096), {.compute_s = 1}}});
  const std::vector<StepOperation> operations = operations_of(traces, 8);
  ASSERT_EQ(operations.size(), 2U);
  EXPECT_EQ(operations[0].traffic, Traffic::shift);
  EXPECT_EQ(operations[0].groups, "0:8:1:8");
  EXPECT_EQ(operations[0].bytes, 4096);
  EXPECT_EQ(operations[1].traffic, Traffic::none);
  EXPECT_EQ(traced_step(traces, 8).left_out, 0U);
}

TEST(TracedSends, OfOneTraceWithoutASendForAReceiveAreLeftOut) {
  const auto traces = traces_of({{send(1), receive(7), receive(7), {.compute_s = 1}}});
  EXPECT_EQ(traced_step(traces, 8).left_out, 1U);
}

TEST(TracedSends, OfNeighboursGoAtOnce) {
  const auto traces = traces_of({{{.compute_s = 1}, send(1, 10), receive(1, 7), {.compute_s = 2}},
                                 {{.compute_s = 1}, send(0, 7), receive(0, 10), {.compute_s = 2}}});
  const std::vector<StepOperation> operations = operations_of(traces, 2);
  ASSERT_EQ(operations.size(), 4U);
  EXPECT_EQ(operations[1].traffic, Traffic::all_to_all_v);
  EXPECT_EQ(operations[1].groups, "0:2:1:2");
  EXPECT_THAT(messages_of(operations[1]), ElementsAre(ElementsAre(0, 1, 10)));
  EXPECT_EQ(operations[1].bytes, 10);
  EXPECT_THAT(messages_of(operations[2]), ElementsAre(ElementsAre(1, 0, 7)));
  EXPECT_EQ(traced_step(traces, 2).left_out, 0U);
}

TEST(TracedSends, OfOneDistanceGoInTheirOrder) {
  const auto traces = traces_of(
      {{send(1, 1), send(1, 2), receive(1), receive(1)}, {receive(0), receive(0), send(0), send(0)}});
  const std::vector<StepOperation> operations = operations_of(traces, 2);
  ASSERT_EQ(operations.size(), 4U);
  EXPECT_THAT(messages_of(operations[0]), ElementsAre(ElementsAre(0, 1, 1)));
  EXPECT_THAT(messages_of(operations[1]), ElementsAre(ElementsAre(0, 1, 2)));
}

TEST(TracedSends, OfARingAreOneExchangeAndTheWayBack) {
  const auto traces = traces_of({{send(1), receive(2)}, {send(2), receive(0)}, {send(0), receive(1)}});
  const std::vector<StepOperation> operations = operations_of(traces, 3);
  ASSERT_EQ(operations.size(), 2U);
  EXPECT_THAT(messages_of(operations[0]), ElementsAre(ElementsAre(0, 1, 64), ElementsAre(1, 2, 64)));
  EXPECT_THAT(messages_of(operations[1]), ElementsAre(ElementsAre(2, 0, 64)));
}

TEST(TracedSends, OfEqualMessagesShareOneMatrix) {
  const auto traces = traces_of({{send(1), send(1)}, {send(0), send(0)}});
  const std::vector<StepOperation> operations = operations_of(traces, 2);
  ASSERT_EQ(operations.size(), 2U);
  EXPECT_EQ(operations[0].matrix, operations[1].matrix);
}

TEST(TracedSends, OfMoreExchangesThanMemoryHoldsAreRefused) {
  constexpr std::size_t ranks = 2048;  // a matrix of them takes 32 MiB
  std::vector<std::vector<TraceNode>> by_rank(ranks);
  for (std::size_t rank = 0; rank < ranks; ++rank)
    for (std::size_t distance = 1; distance < 40; ++distance)
      by_rank[rank].push_back(send(static_cast<std::int64_t>((rank + distance) % ranks)));
  EXPECT_THROW(traced_step(traces_of(std::move(by_rank)), ranks), core::Error);
}

TEST(TracedSends, ThatNoNodeOfTheFirstRankStandsForAreLeftOut) {
  // Rank 1 sends to 3, two ranks on, as the first never does; one names no rank, one a rank beyond the last,
  // one itself.
  const auto traces = traces_of({{{.compute_s = 1}, send(1)}, {send(3)}, {send(-1)}, {send(5)}, {send(4)}});
  EXPECT_EQ(traced_step(traces, 5).left_out, 1U + 3U);
}

}  // namespace
}  // namespace assay::model::workload
