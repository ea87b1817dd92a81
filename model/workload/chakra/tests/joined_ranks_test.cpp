// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Traces of ranks that do different things: stages of a pipeline, groups of their own.
#include "model/workload/chakra/joined_ranks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "model/workload/chakra/traced_step.hpp"

namespace assay::model::workload {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using training::StepOperation;
using training::Traffic;
using Before = std::vector<std::size_t>;

TraceNode computes(double seconds, Before before = {}) {
  return {.compute_s = seconds, .before = std::move(before)};
}
TraceNode exchanges(std::string group, Before before = {}, double bytes = 64,
                    Traffic traffic = Traffic::all_reduce) {
  return {.traffic = traffic, .bytes = bytes, .group = std::move(group), .before = std::move(before)};
}
TraceNode carries(Side side, std::int64_t peer, Before before = {}, double bytes = 8) {
  return {.bytes = bytes, .side = side, .peer = peer, .before = std::move(before)};
}

std::vector<Trace> ranks_of(std::vector<std::vector<TraceNode>> ranks) {
  std::vector<Trace> traces;
  for (std::vector<TraceNode>& nodes : ranks)
    traces.push_back({.file = "t." + std::to_string(traces.size()), .nodes = std::move(nodes)});
  return traces;
}

std::vector<StepOperation> all_operations(const training::TrainingStep& step) {
  std::vector<StepOperation> all;
  for (const training::StepStream& stream : step.streams)
    all.insert(all.end(), stream.operations.begin(), stream.operations.end());
  return all;
}

std::string refusal_of_ranks(std::vector<std::vector<TraceNode>> ranks) {
  const std::vector<Trace> traces = ranks_of(std::move(ranks));
  try {
    traced_step(traces, static_cast<std::uint32_t>(traces.size()));
  } catch (const core::Error& error) {
    return error.what();
  }
  return "";
}

TEST(JoinedRanks, OfAPipelineWaitForTheStageBefore) {
  // Two stages; the first also reduces with a third rank, which only does that.
  const std::vector<Trace> traces =
      ranks_of({{computes(1), carries(Side::sends, 1, {0}), exchanges("dp", {0})},
                {carries(Side::receives, 0), computes(2, {0})},
                {computes(5), exchanges("dp", {0})}});
  const TracedStep traced = traced_step(traces, 3);
  EXPECT_EQ(traced.left_out, 0U);
  EXPECT_THAT(traced.notes, ElementsAre(HasSubstr("ranks do different things")));
  EXPECT_DOUBLE_EQ(training::compute_path_s(traced.step), 5);
  const std::vector<StepOperation> operations = all_operations(traced.step);
  ASSERT_EQ(operations.size(), 5U);
  const auto find = [&](const std::string& name, const std::string& groups) {
    return std::ranges::count_if(
        operations, [&](const StepOperation& one) { return one.name == name && one.groups == groups; });
  };
  EXPECT_EQ(find("compute", "0"), 1);
  EXPECT_EQ(find("compute", "1"), 1);
  EXPECT_EQ(find("compute", "2"), 1);
  EXPECT_EQ(find("send", "0+1"), 1);
  EXPECT_EQ(find("all_reduce", "0+2"), 1);
}

TEST(JoinedRanks, ChainsOfOneRankStayOneStream) {
  const std::vector<Trace> traces = ranks_of({{computes(1), computes(2, {0}), carries(Side::sends, 1, {1})},
                                              {carries(Side::receives, 0), computes(4, {0})}});
  const training::TrainingStep step = traced_step(traces, 2).step;
  ASSERT_EQ(step.streams.size(), 1U);
  ASSERT_EQ(step.streams[0].operations.size(), 3U);
  EXPECT_DOUBLE_EQ(step.streams[0].operations[0].compute_s, 3);
  EXPECT_EQ(step.streams[0].operations[1].traffic, Traffic::pipeline);
  EXPECT_EQ(step.streams[0].operations[2].groups, "1");
  EXPECT_DOUBLE_EQ(training::compute_path_s(step), 7);
}

TEST(JoinedRanks, GatherInGroupsOfUnlikeSizes) {
  const std::vector<Trace> traces = ranks_of({{exchanges("a", {}, 10, Traffic::all_gather)},
                                              {exchanges("a", {}, 10, Traffic::all_gather)},
                                              {exchanges("b", {}, 10, Traffic::all_gather)},
                                              {exchanges("b", {}, 10, Traffic::all_gather)},
                                              {exchanges("b", {}, 10, Traffic::all_gather)}});
  const std::vector<StepOperation> operations = all_operations(traced_step(traces, 5).step);
  ASSERT_EQ(operations.size(), 2U);
  EXPECT_EQ(operations[0].groups, "0-1");
  EXPECT_EQ(operations[0].bytes, 20);
  EXPECT_EQ(operations[1].groups, "2-4");
  EXPECT_EQ(operations[1].bytes, 30);
}

TEST(JoinedRanks, TakeTheLargestSizeOfAnAllToAll) {
  const std::vector<Trace> traces = ranks_of(
      {{exchanges("e", {}, 10, Traffic::all_to_all)}, {exchanges("e", {}, 30, Traffic::all_to_all)}});
  const TracedStep traced = traced_step(traces, 2);
  EXPECT_EQ(all_operations(traced.step).front().bytes, 30);
  EXPECT_THAT(traced.notes, testing::Contains(HasSubstr("the largest is taken")));
}

TEST(JoinedRanks, LeaveOutMessagesWithoutASender) {
  const std::vector<Trace> traces =
      ranks_of({{computes(1), carries(Side::sends, 1, {0})},
                {carries(Side::receives, 0), carries(Side::receives, 0, {0}), carries(Side::sends, -1, {1}),
                 computes(2, {2}), exchanges("all", {3})},
                {exchanges("all")}});
  const TracedStep traced = traced_step(traces, 3);
  EXPECT_EQ(traced.left_out, 2U);
  EXPECT_DOUBLE_EQ(training::compute_path_s(traced.step), 3);
}

TEST(JoinedRanks, AreRefusedWhereAGroupDoesNotAgree) {
  EXPECT_THAT(refusal_of_ranks({{exchanges("g"), exchanges("g", {0})}, {exchanges("g")}}),
              HasSubstr("t.1: 1 exchange of group 'g' (ranks 0-1): expected 2 as in t.0"));
  EXPECT_THAT(
      refusal_of_ranks({{exchanges("g")}, {exchanges("g", {}, 32)}}),
      HasSubstr("t.1: exchange 1 of group 'g' is all_reduce of 32 bytes: expected all_reduce of 64 as in "
                "t.0"));
  EXPECT_THAT(refusal_of_ranks({{exchanges("g")}, {exchanges("g", {}, 64, Traffic::broadcast)}}),
              HasSubstr("is broadcast of 64 bytes: expected all_reduce of 64"));
}

TEST(JoinedRanks, AreRefusedInAGroupWithoutThem) {
  std::vector<Trace> traces = ranks_of(
      {{exchanges("g"), exchanges("g", {0})}, {exchanges("g"), exchanges("g", {0})}, {exchanges("g")}});
  for (Trace& trace : traces) trace.groups["g"] = {.ranks = {0, 1}};
  try {
    traced_step(traces, 3);
    FAIL();
  } catch (const core::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("t.2: node 0 exchanges in group 'g' of ranks 0-1, without rank 2"));
  }
}

TEST(JoinedRanks, AreRefusedWhereTheyWaitForOneAnother) {
  EXPECT_THAT(refusal_of_ranks(
                  {{exchanges("a"), exchanges("b", {0}, 32)}, {exchanges("b", {}, 32), exchanges("a", {0})}}),
              HasSubstr("wait for one another in a circle"));
}

}  // namespace
}  // namespace assay::model::workload
