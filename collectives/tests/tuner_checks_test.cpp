// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Every fault that a tuner file can have beside its spelling, and the program that tells of them.
#include "collectives/tuner/tuner_checks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "collectives/tests/command.hpp"

namespace assay::collectives {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> faults_of(const std::string& text) {
  std::vector<std::string> words;
  for (const TunerFault& fault : all_faults(read_tuner_csv(text)))
    words.push_back(std::to_string(fault.line) + ": " + fault.what);
  return words;
}

TEST(TunerChecks, FindNothingInRowsThatFollowOneAnother) {
  EXPECT_THAT(faults_of("allreduce,0,100,tree,ll,4,2,16\n"
                        "allreduce,101,200,ring,simple,8,2,16\n"
                        "allreduce,0,200,nvls,simple,8,1,8\n"
                        "allgather,0,200,pat,simple,2,4,4\n"),
              IsEmpty());
}

TEST(TunerChecks, NameChannelCountsThatAreNone) {
  EXPECT_THAT(faults_of("allreduce,0,8,ring,ll,-1,2,16\n"),
              ElementsAre("1: channels -1: the plug-in then leaves the one channel that it starts from"));
  EXPECT_THAT(faults_of("allreduce,0,8,ring,ll,0,2,16\n"),
              ElementsAre("1: channels 0: NCCL then takes a number of its own"));
  EXPECT_THAT(faults_of("allreduce,0,8,ring,ll,65,2,16\n"),
              ElementsAre("1: channels 65: NCCL has at most 64"));
}

TEST(TunerChecks, NameRangesThatNeverMatch) {
  EXPECT_THAT(faults_of("allreduce,9,8,ring,ll,2,2,16\n"),
              ElementsAre("1: smallest 9 above largest 8 bytes: the row never matches"));
}

TEST(TunerChecks, NameNumbersOfNodesAndRanksThatNeverMatch) {
  EXPECT_THAT(faults_of("allreduce,0,8,ring,ll,2,0,-2\n"),
              ElementsAre("1: nNodes 0: the row never matches", "1: nRanks -2: the row never matches"));
}

TEST(TunerChecks, NamePairsThatNcclNeverRuns) {
  const std::vector<std::pair<std::string, std::string>> pairs{
      {"broadcast,0,8,tree,simple,2,2,16", "NCCL has no tree for broadcast"},
      {"reduce,0,8,nvls,simple,2,2,16", "NCCL has no nvls for reduce"},
      {"allgather,0,8,tree,simple,2,2,16", "NCCL has no tree for allgather"},
      {"reducescatter,0,8,collnet_chain,simple,2,2,16", "NCCL has no collnet_chain for reducescatter"},
      {"allreduce,0,8,pat,simple,2,2,16", "NCCL has no pat for allreduce"},
      {"allreduce,0,8,nvls,ll,2,2,16", "NCCL runs nvls with protocol simple only"},
      {"allgather,0,8,pat,ll128,2,4,4", "NCCL runs pat with protocol simple only"},
      {"allreduce,0,8,nvls_tree,simple,2,1,8", "NCCL runs nvls_tree on several nodes only"},
      {"allgather,0,8,pat,simple,2,2,16",
       "NCCL runs pat with one rank on each node only (but for NCCL_PAT_ENABLE=1)"}};
  for (const auto& [row, why] : pairs)
    EXPECT_THAT(faults_of(row), ElementsAre("1: " + why + ": the plug-in passes the row over")) << row;
}

TEST(TunerChecks, NameTheEarlierRowThatDecidesWhereTwoOverlap) {
  EXPECT_THAT(faults_of("allreduce,0,100,tree,ll,4,2,16\n"
                        "allreduce,90,200,ring,simple,8,2,16\n"),
              ElementsAre("2: overlaps line 1 at 90 to 100 bytes, which decides there"));
  EXPECT_THAT(faults_of("allreduce,0,100,tree,ll,4,-1,-1\n"
                        "allreduce,0,100,ring,simple,8,2,16\n"),
              ElementsAre("2: overlaps line 1 at 0 to 100 bytes, which decides there"));
}

TEST(TunerChecks, NameSizesThatNoRowSpeaksOf) {
  EXPECT_THAT(
      faults_of("allreduce,10,100,tree,ll,4,2,16\n"
                "allreduce,200,300,ring,simple,8,2,16\n"),
      ElementsAre(
          "1: allreduce, nNodes 2, nRanks 16: no row for 1 to 9 bytes: the plug-in then forces one "
          "channel",
          "2: allreduce, nNodes 2, nRanks 16: no row for 101 to 199 bytes: the plug-in then forces one "
          "channel"));
}

TEST(TunerChecks, NameAFileWithoutRows) {
  EXPECT_THAT(faults_of("# nothing\n"),
              ElementsAre("1: no row: the plug-in forces one channel on every collective"));
}

TEST(TunerChecks, NoteWhereRowsEnd) {
  EXPECT_THAT(
      tuner_notes(read_tuner_csv("allreduce,0,100,tree,ll,4,2,16\nallreduce,101,300,ring,ll,4,2,16\n")),
      ElementsAre(
          "allreduce, nNodes 2, nRanks 16: no row above 300 bytes: the plug-in then forces one channel"));
}

TEST(TunerChecks, AnswerAsThePluginWould) {
  const TunerFile file = read_tuner_csv("allreduce,0,100,tree,ll,4,2,16\nreduce,0,9,ring,ll,-1,2,16\n");
  EXPECT_EQ(answer_text(file, {.collective = "allreduce", .bytes = 100, .nodes = 2, .ranks = 16}),
            "line 1: tree, ll, 4 channels");
  EXPECT_EQ(answer_text(file, {.collective = "allreduce", .bytes = 101, .nodes = 2, .ranks = 16}),
            "no row: one channel is forced; algorithm and protocol are NCCL's own choice");
  EXPECT_EQ(answer_text(file, {.collective = "reduce", .bytes = 1, .nodes = 2, .ranks = 16}),
            "line 2: ring, ll, 1 channel, the plug-in's own");
}

class CheckProgram : public testing::Test {
 protected:
  CheckProgram() : file_(testing::TempDir() + "tuner_" + std::to_string(getpid()) + ".csv") {}
  ~CheckProgram() override { std::remove(file_.c_str()); }

  Ended check(const std::string& text, const std::string& arguments = "") {
    std::ofstream(file_) << text;
    return run_command(ASSAY_BIN_DIR "/assay-check-nccl-tuner " + file_ + " " + arguments + " 2>&1");
  }
  std::string file_;
};

TEST_F(CheckProgram, EndsWith0ForAFileThatIsReadAsItIsMeant) {
  const Ended ended = check("allreduce,0,100,tree,ll,4,2,16\n");
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(ended.output,
            "rows 1, faults 0\nnote: allreduce, nNodes 2, nRanks 16: no row above 100 bytes: the plug-in "
            "then forces one "
            "channel\n");
}

TEST_F(CheckProgram, EndsWith1AndNamesFileAndLineOfEachFault) {
  const Ended ended = check("# a comment\nallreduce,0,100,tree,ll,-1,2,16\n");
  EXPECT_EQ(ended.exit_code, 1);
  EXPECT_THAT(ended.output, HasSubstr(file_ + ":2: channels -1: "));
}

TEST_F(CheckProgram, AnswersAQuestion) {
  const Ended ended = check("allreduce,0,65536,tree,ll,4,2,16\n",
                            "--collective all_reduce --bytes 64KiB --nodes 2 --ranks 16");
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(ended.output, "line 1: tree, ll, 4 channels\n");
}

TEST_F(CheckProgram, EndsWith2AndOneLineForBadInput) {
  const std::string row = "allreduce,0,100,tree,ll,4,2,16\n";
  const auto says = [&](const std::string& arguments, const char* what) {
    const Ended ended = check(row, arguments);
    EXPECT_EQ(ended.exit_code, 2) << arguments;
    EXPECT_THAT(ended.output, HasSubstr(what));
    EXPECT_EQ(std::ranges::count(ended.output, '\n'), 1) << ended.output;
  };
  says("--collective all_to_all --bytes 8 --nodes 2 --ranks 16",
       "NCCL asks its tuner about broadcast, reduce");
  says("--collective all_reduce --bytes lots --nodes 2 --ranks 16", "lots");
  says("--collective all_reduce --bytes 8 --nodes 2", "--collective requires --ranks");
  says("--bytes 8", "--bytes requires --collective");
  const Ended ended = run_command(ASSAY_BIN_DIR "/assay-check-nccl-tuner /no/such/file 2>&1");
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_EQ(ended.output, "assay-check-nccl-tuner: /no/such/file: cannot be read; expected a file\n");
}

}  // namespace
}  // namespace assay::collectives
