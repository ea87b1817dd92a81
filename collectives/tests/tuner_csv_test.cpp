// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The plug-in's reading of a line, and that the reader says where it is not what the line says.
#include "collectives/tuner/tuner_csv.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::collectives {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> row_faults(const std::string& text) {
  std::vector<std::string> words;
  for (const TunerFault& fault : read_tuner_csv(text).faults)
    words.push_back(std::to_string(fault.line) + ": " + fault.what);
  return words;
}

TEST(TunerCsv, ReadsTenFieldsNineOrEight) {
  const TunerFile file = read_tuner_csv(
      "allreduce,0,65536,tree,ll,4,2,16,1,0\n"
      "allgather, 0 ,4096,\t"
      "ring,simple,2,-1,-1,3\n"
      "reduce,0,4294967296,ring,ll128,8,1,8");
  EXPECT_THAT(file.faults, IsEmpty());
  ASSERT_EQ(file.rows.size(), 3U);
  EXPECT_EQ(file.rows[0].collective, "allreduce");
  EXPECT_EQ(file.rows[0].max_bytes, 65536U);
  EXPECT_EQ(file.rows[0].algorithm, "tree");
  EXPECT_EQ(file.rows[0].protocol, "ll");
  EXPECT_EQ(file.rows[0].channels, 4);
  EXPECT_EQ(file.rows[0].nodes, 2);
  EXPECT_EQ(file.rows[0].ranks, 16);
  EXPECT_EQ(file.rows[0].pipe_ops, 1);
  EXPECT_EQ(file.rows[0].registered, 0);
  EXPECT_EQ(file.rows[1].algorithm, "ring");
  EXPECT_EQ(file.rows[1].nodes, -1);
  EXPECT_EQ(file.rows[1].pipe_ops, 3);
  EXPECT_EQ(file.rows[1].registered, -1);
  EXPECT_EQ(file.rows[2].line, 3U);
  EXPECT_EQ(file.rows[2].max_bytes, 4294967296U);
}

TEST(TunerCsv, PassesOverCommentsAndEmptyLinesAndLineEndsOfWindows) {
  const TunerFile file =
      read_tuner_csv("# all,of,this,is,a,comment,and,not,a,row\n\n\r\n  \nreduce,0,1,ring,ll,1,1,8\r\n");
  EXPECT_THAT(file.faults, IsEmpty());
  ASSERT_EQ(file.rows.size(), 1U);
  EXPECT_EQ(file.rows[0].ranks, 8);
}

TEST(TunerCsv, TakesUnknownWordsForAllReduceRingSimple) {
  const TunerFile file = read_tuner_csv("all_reduce,0,8,Tree,LL,4,2,16\n");
  ASSERT_EQ(file.rows.size(), 1U);
  EXPECT_EQ(file.rows[0].collective, "allreduce");
  EXPECT_EQ(file.rows[0].algorithm, "ring");
  EXPECT_EQ(file.rows[0].protocol, "simple");
  EXPECT_THAT(row_faults("all_reduce,0,8,Tree,LL,4,2,16\n"),
              ElementsAre("1: 'all_reduce': the plug-in does not know it and takes it for allreduce",
                          "1: 'Tree': the plug-in does not know it and takes it for ring",
                          "1: 'LL': the plug-in does not know it and takes it for simple"));
}

TEST(TunerCsv, ReadsOnlyTheDigitsThatANumberBeginsWith) {
  EXPECT_THAT(row_faults("allreduce,0,4MiB,ring,ll,two,2,16x\n"),
              ElementsAre("1: '4MiB' bytes: the plug-in reads 4", "1: channels 'two': the plug-in reads 0",
                          "1: nRanks '16x': the plug-in reads 16"));
}

TEST(TunerCsv, ReadsMinusOneBytesAsTheLargestNumberThereIs) {
  EXPECT_THAT(row_faults("allreduce,0,-1,ring,ll,2,2,16\n"),
              ElementsAre("1: '-1' bytes: the plug-in reads 18446744073709551615"));
}

TEST(TunerCsv, DropsALineOfTooFewFields) {
  const TunerFile file = read_tuner_csv("allreduce,0,8,ring,ll,2,2\n");
  EXPECT_THAT(file.rows, IsEmpty());
  EXPECT_THAT(row_faults("allreduce,0,8,ring,ll,2,2\n"),
              ElementsAre("1: 7 fields, at least 8 expected: the plug-in drops the line"));
}

TEST(TunerCsv, DropsFieldsBeyondTheTenth) {
  EXPECT_EQ(read_tuner_csv("allreduce,0,8,ring,ll,2,2,16,1,0,9\n").rows.size(), 1U);
  EXPECT_THAT(row_faults("allreduce,0,8,ring,ll,2,2,16,1,0,9\n"),
              ElementsAre("1: 11 fields, at most 10 expected: the plug-in drops the rest"));
}

TEST(TunerCsv, MovesFieldsUpOverAnEmptyOne) {
  const TunerFile file = read_tuner_csv("allreduce,0,8,ring,,2,2,16,1\n");
  ASSERT_EQ(file.rows.size(), 1U);
  EXPECT_EQ(file.rows[0].protocol, "simple");  // of '2'
  EXPECT_THAT(row_faults("allreduce,0,8,ring,,2,2,16,1\n"),
              testing::Contains("1: an empty field: the plug-in passes over it, later ones move up"));
}

TEST(TunerCsv, ReadsAnIndentedCommentOfEightFieldsAsARow) {
  EXPECT_EQ(read_tuner_csv(" #allreduce,0,8,ring,ll,2,2,16\n").rows.size(), 1U);
  EXPECT_THAT(row_faults(" #allreduce,0,8,ring,ll,2,2,16\n"),
              ElementsAre("1: '#allreduce': the plug-in does not know it and takes it for allreduce"));
}

TEST(TunerCsv, Reads255CharactersWholeAndCutsALongerLineInTwo) {
  const std::string row = "allreduce,0,8,ring,ll,2,2,16\n";
  EXPECT_THAT(row_faults("#" + std::string(254, 'x') + "\n" + row), IsEmpty());
  const std::string text = "#" + std::string(254, 'x') + row;
  EXPECT_EQ(read_tuner_csv(text).rows.size(), 1U);  // the rest of the comment
  EXPECT_THAT(row_faults(text),
              ElementsAre("1: 283 characters: the plug-in reads 255 and takes the rest for a line of "
                          "its own"));
}

TEST(TunerCsv, TheFirstRowThatMatchesIsApplied) {
  const TunerFile file = read_tuner_csv(
      "allreduce,0,100,tree,ll,4,2,16\n"
      "allreduce,50,200,ring,simple,8,-1,-1\n");
  const auto line_at = [&](std::uint64_t bytes, int nodes) -> std::size_t {
    const TunerRow* row =
        applied_row(file.rows, {.collective = "allreduce", .bytes = bytes, .nodes = nodes, .ranks = 16});
    return row == nullptr ? 0 : row->line;
  };
  EXPECT_EQ(line_at(0, 2), 1U);
  EXPECT_EQ(line_at(100, 2), 1U);
  EXPECT_EQ(line_at(101, 2), 2U);
  EXPECT_EQ(line_at(60, 4), 2U);
  EXPECT_EQ(line_at(201, 2), 0U);
}

TEST(TunerCsv, ARowThatNcclCannotRunIsPassedOver) {
  const TunerFile file = read_tuner_csv(
      "broadcast,0,100,tree,ll,4,2,16\n"
      "broadcast,0,100,ring,ll,8,2,16\n");
  const TunerRow* row =
      applied_row(file.rows, {.collective = "broadcast", .bytes = 8, .nodes = 2, .ranks = 16});
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->line, 2U);
}

TEST(TunerCsv, RegisteredBuffersAndPipelinedOperationsAreMatchedToo) {
  const TunerFile file = read_tuner_csv("allreduce,0,100,tree,ll,4,2,16,1,1\n");
  TunerQuestion question{.collective = "allreduce", .bytes = 8, .nodes = 2, .ranks = 16, .registered = 1};
  EXPECT_NE(applied_row(file.rows, question), nullptr);
  question.registered = 0;
  EXPECT_EQ(applied_row(file.rows, question), nullptr);
  question.registered = 1;
  question.pipe_ops = 2;
  EXPECT_EQ(applied_row(file.rows, question), nullptr);
}

}  // namespace
}  // namespace assay::collectives
