// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/training/training_step.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"

namespace assay::training {
namespace {

StepOperation work(double seconds, double times = 1) {
  return {.name = "work", .compute_s = seconds, .times = times};
}
StepOperation exchange() {
  return {.name = "exchange", .traffic = Traffic::all_reduce, .groups = "0:2", .bytes = 8};
}

/// Two passes, and an exchange after each that does not delay the other pass.
TrainingStep two_buckets() {
  return {.name = "two",
          .ranks = 2,
          .streams = {{.name = "pass 1", .operations = {work(1, 2)}},
                      {.name = "bucket 1", .after = {"pass 1"}, .operations = {exchange()}},
                      {.name = "pass 2", .after = {"pass 1"}, .operations = {work(3)}},
                      {.name = "bucket 2", .after = {"pass 2", "bucket 1"}, .operations = {exchange()}}}};
}

std::vector<std::string> issued_streams(const TrainingStep& step) {
  std::vector<std::string> names;
  for (const Issued& one : issue_order(step)) names.push_back(step.streams[one.stream].name);
  return names;
}

TEST(TrainingStep, IsIssuedAsItsStreamsCanGoOn) {
  EXPECT_THAT(issued_streams(two_buckets()),
              testing::ElementsAre("pass 1", "pass 1", "bucket 1", "pass 2", "bucket 2"));
}

TEST(TrainingStep, IssuesWhatComesFirstByTheClockOfComputeFirst) {
  TrainingStep step = two_buckets();
  step.streams[1].operations.insert(step.streams[1].operations.begin(), work(5));
  EXPECT_THAT(issued_streams(step),
              testing::ElementsAre("pass 1", "pass 1", "bucket 1", "pass 2", "bucket 1", "bucket 2"));
}

TEST(TrainingStep, ComputesForTheLongestChain) {
  EXPECT_DOUBLE_EQ(compute_path_s(two_buckets()), 5);
  TrainingStep step = two_buckets();
  step.streams[1].operations.push_back(work(10));
  EXPECT_DOUBLE_EQ(compute_path_s(step), 12);
}

TEST(TrainingStep, KnowsWhatRunsNextToCompute) {
  EXPECT_THAT(runs_next_to_compute(two_buckets()), testing::ElementsAre(false, true, false, false));
  TrainingStep step = two_buckets();
  step.streams[2].operations[0] = exchange();
  EXPECT_THAT(runs_next_to_compute(step), testing::ElementsAre(false, false, false, false));
}

TEST(TrainingStep, OfTooManyOperationsIsRefused) {
  TrainingStep step = two_buckets();
  step.streams[0].operations[0].times = 2e6;
  EXPECT_THROW(issue_order(step), core::Error);
}

TEST(TrainingStep, LeavesOutWhatNeitherComputesNorExchanges) {
  StepStream stream{.name = "one"};
  append(stream, work(0));
  append(stream, {.traffic = Traffic::all_reduce, .groups = "", .bytes = 8});
  append(stream, {.traffic = Traffic::all_reduce, .groups = "0:2", .bytes = 0});
  EXPECT_TRUE(stream.operations.empty());
  TrainingStep step;
  EXPECT_EQ(add(step, stream), "");
  append(stream, exchange());
  stream.after = {"", "before"};
  EXPECT_EQ(add(step, stream), "one");
  EXPECT_THAT(step.streams.at(0).after, testing::ElementsAre("before"));
}

}  // namespace
}  // namespace assay::training
