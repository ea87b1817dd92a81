// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/workload/chakra/traced_step.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"

namespace assay::model::workload {
namespace {

using testing::ElementsAre;
using training::Traffic;

TraceNode exchange(std::string group, std::vector<std::size_t> before = {}, double bytes = 64) {
  return {
      .traffic = Traffic::all_reduce, .bytes = bytes, .group = std::move(group), .before = std::move(before)};
}
TraceNode work(double seconds, std::vector<std::size_t> before = {}) {
  return {.compute_s = seconds, .before = std::move(before)};
}

Trace trace_of(std::vector<TraceNode> nodes) { return {.file = "job/trace.0.et", .nodes = std::move(nodes)}; }

TEST(TracedStep, JoinsNodesThatFollowOneAnotherAlone) {
  // Two passes, joined; then an exchange next to another pass, and one after both.
  const std::vector<Trace> traces{trace_of(
      {work(1), work(0, {0}), work(2, {1}), exchange("", {2}), work(4, {2}), exchange("", {3, 4}, 128)})};
  const training::TrainingStep step = traced_step(traces, 8).step;
  EXPECT_EQ(step.name, "trace.0");
  EXPECT_EQ(step.ranks, 8U);
  ASSERT_EQ(step.streams.size(), 4U);
  ASSERT_EQ(step.streams[0].operations.size(), 1U);
  EXPECT_DOUBLE_EQ(step.streams[0].operations[0].compute_s, 3);
  EXPECT_THAT(step.streams[1].after, ElementsAre("chain 1"));
  EXPECT_EQ(step.streams[1].operations[0].groups, "0:8:1:8");
  EXPECT_THAT(step.streams[3].after, ElementsAre("chain 2", "chain 3"));
  EXPECT_DOUBLE_EQ(training::compute_path_s(step), 7);
}

TEST(TracedStep, FindsGroupsByTheirNames) {
  std::vector<Trace> traces;
  for (const char* near : {"1", "1", "2", "2"})
    traces.push_back(trace_of({exchange(near), exchange("all", {0}), exchange("alone", {1})}));
  traces[0].nodes[2].group = "only 0";
  traces[1].nodes[2].group = "only 1";
  traces[2].nodes[2].group = "pair";
  traces[3].nodes[2].group = "pair";
  const training::TrainingStep step = traced_step(traces, 4).step;
  ASSERT_EQ(step.streams.size(), 1U);
  ASSERT_EQ(step.streams[0].operations.size(), 3U);
  EXPECT_EQ(step.streams[0].operations[0].groups, "0-1 2-3");
  EXPECT_EQ(step.streams[0].operations[0].among, "group 1");
  EXPECT_EQ(step.streams[0].operations[1].groups, "0:4:1:4");
  EXPECT_EQ(step.streams[0].operations[2].groups, "2-3");
}

TraceNode of(Traffic traffic, double bytes, std::vector<std::size_t> before = {}, std::string group = {}) {
  return {.traffic = traffic, .bytes = bytes, .group = std::move(group), .before = std::move(before)};
}
std::vector<training::StepOperation> operations_of_one(Trace trace, std::uint32_t ranks) {
  const training::TrainingStep step = traced_step(std::vector{std::move(trace)}, ranks).step;
  EXPECT_EQ(step.streams.size(), 1U);
  return step.streams.front().operations;
}

TEST(TracedStep, GathersAsMuchAsItScatters) {
  constexpr double mib = 1 << 20;
  const auto operations = operations_of_one(
      trace_of({of(Traffic::all_gather, mib), of(Traffic::reduce_scatter, 16 * mib, {0}),
                of(Traffic::all_to_all, 16 * mib, {1}), of(Traffic::all_reduce, 16 * mib, {2})}),
      16);
  ASSERT_EQ(operations.size(), 4U);
  for (const training::StepOperation& one : operations) EXPECT_EQ(one.bytes, 16 * mib) << one.name;
}

TEST(TracedStep, GathersOneShareOfEachRankOfTheGroup) {
  Trace trace = trace_of({of(Traffic::all_gather, 100, {}, "tp")});
  trace.groups["tp"] = {.ranks = {0, 2, 4, 6}};
  const auto operations = operations_of_one(trace, 16);
  EXPECT_EQ(operations[0].bytes, 400);
  EXPECT_EQ(operations[0].groups, "0:16:2:4");
}

TEST(TracedStep, HintsAtSizesThatDoNotFit) {
  const auto notes = [](double gathered, double scattered) {
    return traced_step(std::vector{trace_of(
                           {of(Traffic::all_gather, gathered), of(Traffic::reduce_scatter, scattered, {0})})},
                       8)
        .notes;
  };
  EXPECT_TRUE(notes(100, 800).empty());
  EXPECT_TRUE(notes(100, 900).empty());
  for (const double scattered : {200.0, 400.0, 1600.0, 3200.0})
    EXPECT_THAT(notes(100, scattered), ElementsAre(testing::HasSubstr("is a comm_size in elements?")));
  EXPECT_THAT(notes(100, 100), ElementsAre(testing::HasSubstr("one rank's share")));
}

TEST(TracedStep, OfRanksThatDoOtherThingsInOneGroupIsRefused) {
  std::vector<Trace> traces{trace_of({exchange("")}), trace_of({exchange("", {}, 65)})};
  EXPECT_THROW(traced_step(traces, 2), core::Error);
  traces[1] = trace_of({exchange(""), exchange("")});
  EXPECT_THROW(traced_step(traces, 2), core::Error);
  traces[1] = trace_of({exchange("")});
  EXPECT_NO_THROW(traced_step(traces, 2));
}

TEST(TracedStep, OfATraceWithoutWorkIsRefused) {
  EXPECT_THROW(traced_step(std::vector{trace_of({work(0)})}, 2), core::Error);
}

}  // namespace
}  // namespace assay::model::workload
