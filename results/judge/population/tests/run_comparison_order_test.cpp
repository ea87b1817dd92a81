// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Runs of two sides by the order in which they started.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/judge/tests/compared_store.hpp"

namespace assay::results {
namespace {

using core::Equivalence;
using test::ComparedStore;
using testing::HasSubstr;

TEST(Comparison, OfOneSideAfterTheOtherIsOpenWhereADriftCouldHideTheMargin) {
  ComparedStore in_blocks, alternating;
  in_blocks.add_hourly({{"a1", 100},
                        {"a2", 101},
                        {"a3", 99},
                        {"a4", 100.5},
                        {"a5", 99.5},
                        {"b1", 101},
                        {"b2", 99},
                        {"b3", 100},
                        {"b4", 99.5},
                        {"b5", 100.5}});
  alternating.add_hourly({{"a1", 100},
                          {"b1", 101},
                          {"a2", 101},
                          {"b2", 99},
                          {"a3", 99},
                          {"b3", 100},
                          {"a4", 100.5},
                          {"b4", 99.5},
                          {"a5", 99.5},
                          {"b5", 100.5}});
  EXPECT_EQ(alternating.compared(0.015).points.front().times.verdict, Equivalence::equivalent);
  const Verdicts verdicts = verdicts_of(in_blocks.compared(0.015));
  EXPECT_EQ(verdicts.verdict, Verdict::inconclusive);
  EXPECT_EQ(
      verdicts.rows.front().because,
      "in the order in which these runs started, a steady drift could hide 1.5 %: alternate the runs of "
      "the two sides");
  EXPECT_THAT(verdicts.notes,
              testing::Contains(HasSubstr("All runs of one side started before those of the")));
  EXPECT_THAT(verdicts.notes, testing::Not(testing::Contains(HasSubstr("would decide"))));
}

// It is all drift: 1 % an hour, as much as the loss of 5 % hides.
TEST(Comparison, OfOneSideAfterTheOtherDoesNotPassALossThatADriftHides) {
  ComparedStore store;
  store.add_hourly({{"a1", 104},
                    {"a2", 103.1},
                    {"a3", 102},
                    {"a4", 100.9},
                    {"a5", 100},
                    {"b1", 104},
                    {"b2", 102.9},
                    {"b3", 102},
                    {"b4", 101.1},
                    {"b5", 100}});
  EXPECT_EQ(verdicts_of(store.compared()).verdict, Verdict::inconclusive);
}

}  // namespace
}  // namespace assay::results
