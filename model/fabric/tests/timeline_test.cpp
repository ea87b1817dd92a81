// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/sharing/timeline.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "harness/core/error.hpp"
#include "model/fabric/sharing/max_min.hpp"

namespace assay::model::fabric {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

/// Max-min sharing of links of capacity 10.
Timeline run(const std::vector<Message>& messages, const std::vector<std::vector<LinkId>>& rows,
             const std::vector<Precedence>& precedences = {}, double batch = default_batch) {
  Paths paths;
  std::size_t links = 0;
  for (const std::vector<LinkId>& row : rows) {
    paths.append(row);
    for (const LinkId link : row) links = std::max<std::size_t>(links, link + 1);
  }
  MaxMin rule(paths, std::vector<double>(links, 10));
  return timeline_of(
      messages, precedences, paths, links,
      [&](std::span<const FlowId> flows, std::span<double> rates) { rule.share(flows, rates); }, batch);
}

TEST(Timeline, OneFlowTakesBytesOverCapacityAndItsLatency) {
  const Timeline timeline = run({{.bytes = 100, .latency_us = 3, .start_us = 2}}, {{0, 1}});
  EXPECT_THAT(timeline.end_us, ElementsAre(15));
  EXPECT_EQ(timeline.solves, 1U);
}

TEST(Timeline, RatesRiseWhenAFlowEnds) {
  const Timeline timeline = run({{.bytes = 100}, {.bytes = 200}}, {{0}, {0}});
  EXPECT_THAT(timeline.end_us, ElementsAre(DoubleNear(20, 1e-9), DoubleNear(30, 1e-9)));
}

TEST(Timeline, AFlowThatStartsTakesItsShareFromThenOn) {
  const Timeline timeline = run({{.bytes = 100}, {.bytes = 200, .start_us = 5}}, {{0}, {0}});
  // 50 bytes alone, then both at 5: the first ends at 15; the second has 150 left and 10 a microsecond.
  EXPECT_THAT(timeline.end_us, ElementsAre(DoubleNear(15, 1e-9), DoubleNear(30, 1e-9)));
}

TEST(Timeline, AMessageWaitsForTheLastOfThoseBeforeIt) {
  const Timeline timeline =
      run({{.bytes = 100, .latency_us = 1}, {.bytes = 200, .latency_us = 1}, {.bytes = 10}}, {{0}, {1}, {0}},
          {{0, 2}, {1, 2}});
  EXPECT_THAT(timeline.start_us, ElementsAre(0, 0, 21));
  EXPECT_THAT(timeline.end_us, ElementsAre(11, 21, 22));
}

TEST(Timeline, AMessageWaitsForTheDelayAfterOneBeforeIt) {
  const Timeline timeline = run({{.bytes = 100, .latency_us = 1}, {.bytes = 200}, {.bytes = 10}},
                                {{0}, {1}, {0}}, {{0, 2, 15.5}, {1, 2}});
  EXPECT_THAT(timeline.start_us, ElementsAre(0, 0, 26.5));
}

TEST(Timeline, EachFlowOfABatchEndsAtItsOwnInstant) {
  const Timeline timeline = run({{.bytes = 100}, {.bytes = 101}}, {{0}, {0}});
  EXPECT_THAT(timeline.end_us, ElementsAre(DoubleNear(20, 1e-9), DoubleNear(20.2, 1e-9)));
  EXPECT_EQ(timeline.solves, 1U);
  EXPECT_EQ(run({{.bytes = 100}, {.bytes = 101}}, {{0}, {0}}, {}, 0).solves, 2U);
}

TEST(Timeline, FlowsThatShareNothingAreNotSharedOutAgain) {
  std::size_t shared_out = 0;
  Paths paths;
  for (LinkId link = 0; link < 3; ++link) paths.append(std::vector<LinkId>{link});
  const std::vector<Message> messages = {{.bytes = 10}, {.bytes = 20}, {.bytes = 30}};
  timeline_of(messages, {}, paths, 3, [&](std::span<const FlowId> flows, std::span<double> rates) {
    shared_out += flows.size();
    for (const FlowId flow : flows) rates[flow] = 1;
  });
  EXPECT_EQ(shared_out, 3U);
}

TEST(Timeline, EqualFlowsEndWithTheBoundOfTheBusiestLink) {
  std::mt19937_64 random(11);
  std::vector<std::vector<LinkId>> rows;
  std::vector<double> bytes_of_link(24);
  for (int flow = 0; flow < 200; ++flow) {
    rows.push_back({static_cast<LinkId>(random() % 8), static_cast<LinkId>(8 + random() % 16)});
    for (const LinkId link : rows.back()) bytes_of_link[link] += 100;
  }
  const double bound_us = std::ranges::max(bytes_of_link) / 10;
  const std::vector<Message> messages(200, {.bytes = 100});
  EXPECT_NEAR(run(messages, rows, {}, 0).makespan_us(), bound_us, 1e-9 * bound_us);
  EXPECT_NEAR(run(messages, rows).makespan_us(), bound_us, 0.02 * bound_us);
}

TEST(Timeline, RefusesMessagesThatWaitInACircle) {
  EXPECT_THROW(run({{.bytes = 1}, {.bytes = 1}}, {{0}, {0}}, {{0, 1}, {1, 0}}), core::Error);
}

}  // namespace
}  // namespace assay::model::fabric
