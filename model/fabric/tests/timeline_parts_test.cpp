// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/sharing/timeline_parts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <utility>

#include "harness/core/error.hpp"
#include "model/fabric/sharing/max_min.hpp"

namespace assay::model::fabric {
namespace {

using testing::ElementsAre;

RuleOfPart max_min(std::vector<double> capacities) {
  return [capacities = std::move(capacities)](const TimelinePart& part, unsigned) -> SharingRule {
    std::vector<double> own;
    for (const LinkId link : part.links) own.push_back(capacities[link]);
    const auto rule = std::make_shared<MaxMin>(part.paths, std::move(own));
    return [rule](std::span<const FlowId> flows, std::span<double> rates) { rule->share(flows, rates); };
  };
}

TEST(TimelineParts, FlowsAreJoinedByLinksAndByWaiting) {
  Paths paths;
  for (const std::vector<LinkId>& path : std::vector<std::vector<LinkId>>{{0, 5}, {1}, {2, 5}, {3}, {4}})
    paths.append(path);
  const std::vector<TimelinePart> parts =
      parts_of(std::vector<Precedence>{{.before = 4, .after = 1}}, paths, 6);
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_THAT(parts[0].flows, ElementsAre(0, 2));
  EXPECT_THAT(parts[0].links, ElementsAre(0, 5, 2));
  EXPECT_THAT(parts[0].paths[1], ElementsAre(2, 1));
  EXPECT_THAT(parts[1].flows, ElementsAre(1, 4));
  EXPECT_THAT(parts[2].flows, ElementsAre(3));
}

TEST(TimelineParts, AreTheWholeTimelineWithoutBatchesOnAnyNumberOfThreads) {
  std::mt19937_64 random(5);
  constexpr LinkId groups = 12, links_of_group = 5;
  Paths paths;
  std::vector<Message> messages;
  std::vector<Precedence> precedences;
  std::vector<double> capacities;
  for (LinkId link = 0; link < groups * links_of_group; ++link)
    capacities.push_back(1 + static_cast<double>(random() % 9));
  for (FlowId flow = 0; flow < 120; ++flow) {
    const auto group = static_cast<LinkId>(flow % groups * links_of_group);
    paths.append(std::vector<LinkId>{group + static_cast<LinkId>(random() % 2),
                                     group + 2 + static_cast<LinkId>(random() % 3)});
    messages.push_back({.bytes = 1 + static_cast<double>(random() % 1000), .latency_us = 0.5});
    if (flow >= 5 * groups) precedences.push_back({.before = flow - 5 * groups, .after = flow});
  }
  MaxMin rule(paths, capacities);
  const Timeline whole = timeline_of(
      messages, precedences, paths, capacities.size(),
      [&](std::span<const FlowId> flows, std::span<double> rates) { rule.share(flows, rates); }, 0);
  const Timeline one =
      timeline_in_parts(messages, precedences, paths, capacities.size(), max_min(capacities), 1, 0);
  const Timeline three =
      timeline_in_parts(messages, precedences, paths, capacities.size(), max_min(capacities), 3, 0);
  EXPECT_EQ(one.end_us, three.end_us);
  EXPECT_EQ(one.start_us, three.start_us);
  EXPECT_EQ(one.solves, three.solves);
  for (std::size_t flow = 0; flow < messages.size(); ++flow)
    EXPECT_NEAR(one.end_us[flow], whole.end_us[flow], 1e-9 * whole.end_us[flow]);
}

TEST(TimelineParts, APartOfMostFlowsMayUseAllThreads) {
  Paths paths;
  for (const LinkId link : {0U, 0U, 0U, 1U, 2U}) paths.append(std::vector<LinkId>{link});
  const std::vector<Message> messages(5, {.bytes = 1});
  std::vector<unsigned> threads_of_flow(5);
  const RuleOfPart notes = [&](const TimelinePart& part, unsigned threads) -> SharingRule {
    for (const FlowId flow : part.flows) threads_of_flow[flow] = threads;
    return [](std::span<const FlowId> flows, std::span<double> rates) {
      for (const FlowId flow : flows) rates[flow] = 1;
    };
  };
  timeline_in_parts(messages, {}, paths, 3, notes, 4);
  EXPECT_THAT(threads_of_flow, ElementsAre(4, 4, 4, 1, 1));
}

/// Ends spread over a fifth of the time, on one link of many flows or of few.
TEST(TimelineParts, BatchesOfManyFlowsAreLonger) {
  const auto solves = [](std::size_t flows) {
    Paths paths;
    std::vector<Message> messages;
    for (std::size_t flow = 0; flow < flows; ++flow) {
      paths.append(std::vector<LinkId>{0});
      messages.push_back({.bytes = 1 + 0.2 * static_cast<double>(flow) / static_cast<double>(flows)});
    }
    return timeline_in_parts(messages, {}, paths, 1, max_min({1})).solves;
  };
  EXPECT_GT(solves(many_flows), solves(many_flows + 1));
}

TEST(TimelineParts, TheFirstPartThatFailsIsReported) {
  Paths paths;
  for (LinkId link = 0; link < 8; ++link) paths.append(std::vector<LinkId>{link});
  const std::vector<Message> messages(8, {.bytes = 1});
  const RuleOfPart fails = [](const TimelinePart& part, unsigned) -> SharingRule {
    return [first = part.flows.front()](std::span<const FlowId>, std::span<double> rates) {
      if (first >= 2) core::usage_error("part of flow " + std::to_string(first));
      rates[0] = 1;
    };
  };
  for (const unsigned threads : {1U, 4U}) {
    try {
      timeline_in_parts(messages, {}, paths, 8, fails, threads);
      FAIL();
    } catch (const core::Error& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("part of flow 2"));
    }
  }
}

}  // namespace
}  // namespace assay::model::fabric
