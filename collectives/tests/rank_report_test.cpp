// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Who is late, from what the ranks tell.
#include "collectives/watch/rank_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"

namespace assay::collectives {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

RankReport rank_in(int rank, FlightState state, std::int64_t sequence, int step,
                   std::vector<int> awaited = {}) {
  return {.rank = rank,
          .host = "h" + std::to_string(rank),
          .now_s = 12,
          .latest = {{sequence, Operation::all_reduce, 64, state, 10, step, std::move(awaited)}}};
}

TEST(Diagnosis, NamesTheRankThatDoesNotAnswer) {
  RankReport silent{.rank = 1, .host = "h1", .silent = "does not answer: its process has ended"};
  const Diagnosis diagnosis = diagnosis_of(
      {rank_in(0, FlightState::waits, 7, 2, {1}), silent, rank_in(2, FlightState::waits, 7, 3, {0})});
  EXPECT_THAT(diagnosis.late, ElementsAre(1));
  EXPECT_EQ(
      diagnosis.text,
      "late: rank 1 (h1) does not answer: its process has ended; rank 0 (h0) waits for rank 1 in step 2 of "
      "all_reduce 7 of 64 bytes, begun 2 s ago, rank 2 (h2) waits for rank 0 in step 3 of all_reduce 7 of 64 "
      "bytes, begun 2 s ago");
}

TEST(Diagnosis, NamesTheRankThatComputesWhileOthersWait) {
  const Diagnosis diagnosis =
      diagnosis_of({rank_in(0, FlightState::waits, 7, 2, {1}), rank_in(1, FlightState::computes, 7, 1)});
  EXPECT_THAT(diagnosis.late, ElementsAre(1));
  EXPECT_THAT(diagnosis.text,
              HasSubstr("late: rank 1 (h1) is in all_reduce 7 of 64 bytes, begun 2 s ago, after "
                        "step 1"));
}

TEST(Diagnosis, NamesTheRankThatIsBehind) {
  const Diagnosis diagnosis =
      diagnosis_of({rank_in(0, FlightState::waits, 7, 2, {1}), rank_in(1, FlightState::waits, 6, 3, {2}),
                    rank_in(2, FlightState::waits, 7, 1, {1})});
  EXPECT_THAT(diagnosis.late, ElementsAre(1));
}

TEST(Diagnosis, DoesNotBlameARankThatHasDoneItsPart) {
  const Diagnosis diagnosis =
      diagnosis_of({rank_in(0, FlightState::done, 7, 1), rank_in(1, FlightState::waits, 7, 1, {2}),
                    rank_in(2, FlightState::computes, 7, 0)});
  EXPECT_THAT(diagnosis.late, ElementsAre(2));
}

TEST(Diagnosis, BlamesARankThatNeverBeganWhatOthersWaitIn) {
  const Diagnosis diagnosis =
      diagnosis_of({rank_in(0, FlightState::waits, 7, 1, {1}), rank_in(1, FlightState::done, 6, 1)});
  EXPECT_THAT(diagnosis.late, ElementsAre(1));
}

TEST(Diagnosis, OfRanksThatAllWaitAtOnePlaceBlamesNone) {
  const Diagnosis diagnosis =
      diagnosis_of({rank_in(0, FlightState::waits, 7, 1, {1}), rank_in(1, FlightState::waits, 7, 1, {0})});
  EXPECT_THAT(diagnosis.late, IsEmpty());
  EXPECT_THAT(diagnosis.text, HasSubstr("no rank is behind: they wait for one another"));
}

TEST(Diagnosis, OfManyRanksTellsOnlySome) {
  std::vector<RankReport> reports;
  for (int rank = 0; rank < 40; ++rank) reports.push_back(rank_in(rank, FlightState::waits, 7, 1, {39}));
  reports[39].silent = "does not answer: its process has ended";
  const std::string text = diagnosis_of(reports).text;
  EXPECT_THAT(text, HasSubstr("rank 7 (h7)"));
  EXPECT_THAT(text, testing::Not(HasSubstr("rank 8 (h8)")));
  EXPECT_THAT(text, HasSubstr("and 31 more"));
}

TEST(Diagnosis, OfNobodyIsEmpty) { EXPECT_EQ(diagnosis_of({}).text, ""); }

TEST(RankReport, TravelsAsText) {
  const RankReport heard = rank_report_from(to_text(rank_in(3, FlightState::waits, 7, 2, {1, 4})));
  EXPECT_EQ(heard.rank, 3);
  EXPECT_EQ(heard.now_s, 12);
  ASSERT_EQ(heard.latest.size(), 1U);
  EXPECT_EQ(heard.latest[0].operation, Operation::all_reduce);
  EXPECT_EQ(heard.latest[0].state, FlightState::waits);
  EXPECT_EQ(heard.latest[0].awaited, (std::vector<int>{1, 4}));
}

TEST(RankReport, OfOtherTextIsRefused) {
  for (const char* text : {"", "1 2", "1 2 1\n7 all_reduce 64 1 10 2 3 1", "1 2 1\n7 nothing 64 1 10 2 0"})
    EXPECT_THROW(rank_report_from(text), core::Error) << text;
}

}  // namespace
}  // namespace assay::collectives
