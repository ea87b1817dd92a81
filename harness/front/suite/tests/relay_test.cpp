// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/suite/processes/relay.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "harness/core/error.hpp"
#include "harness/core/text/shell_words.hpp"
#include "harness/front/suite/processes/base64.hpp"
#include "harness/front/suite/processes/launcher.hpp"

namespace assay::suite {
namespace {

/// A long line, an empty one and a short one.
std::string text() { return std::string(1500, 'x') + "\n\n{\"record\":\"end\"}\n"; }

RelayPiece after_the_launcher(const RelayPiece& piece, const std::string& printed = "") {
  std::string line = printed + to_line(piece), before;
  line.pop_back();
  const auto taken = relay_piece_in(line, before);
  EXPECT_TRUE(taken.has_value());
  EXPECT_EQ(before, printed);
  return taken.value_or(RelayPiece{});
}

TEST(Relay, LinesArriveAsTheyWere) {
  RelayedLines lines;
  std::string arrived;
  for (const RelayPiece& piece : pieces_of('j', 77, text()))
    arrived += lines.take(after_the_launcher(piece, "0: [ 12 % ] "));
  EXPECT_EQ(arrived, text());
  EXPECT_FALSE(lines.lost_any());
}

TEST(Relay, ALineWhosePieceIsLostIsLeftOutAndTheOthersAreNot) {
  for (const std::size_t lost : {0U, 1U, 2U}) {
    std::vector<RelayPiece> pieces = pieces_of('j', 0, text());
    pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(lost));
    RelayedLines lines;
    std::string arrived;
    for (const RelayPiece& piece : pieces) arrived += lines.take(piece);
    EXPECT_EQ(arrived, "\n{\"record\":\"end\"}\n") << lost;
    EXPECT_TRUE(lines.lost_any()) << lost;
  }
}

TEST(Relay, WhatIsNotAPieceIsPassedOn) {
  std::string before;
  const std::string line = to_line({.file = 'j', .begins_line = true, .at = 5, .bytes = "abc"});
  EXPECT_TRUE(relay_piece_in(line.substr(0, line.size() - 1), before));
  for (const std::string& other :
       {std::string("srun: error: n1: task 0: Killed"), std::string("@relay "),
        std::string("@relay j ^ x YQ"), std::string("@relay j ^ 5 a+b="), line.substr(0, 12)})
    EXPECT_FALSE(relay_piece_in(other, before)) << other;
}

TEST(Relay, Rank0ReceivesPlanAndJournalWhole) {
  const std::map<std::string, std::string> files{{"/a folder/plan.toml", "[measure]\n"}, {"/j.jsonl", ""}};
  const std::string input = to_input(files);
  EXPECT_EQ(files_from_input(input), files);
  for (const std::size_t cut : {1U, 5U, 30U})
    EXPECT_THROW(files_from_input(input.substr(0, cut)), core::Error) << cut;
}

TEST(Relay, StandsOnBothSidesOfTheLauncher) {
  const Launcher launcher{
      .engine = Engine::srun, .program = "/usr/bin/srun", .ranks = 2, .relay = "/opt/assay"};
  const std::string plan = testing::TempDir() + "relayed-plan.toml";
  std::ofstream(plan) << "[measure]\n";
  const auto words = run_command(launcher, {.name = "rdma", .program = "/opt/assay-rdma"},
                                 {"--journal", "/r/j", "--plan", plan});
  const std::string text = core::shell_text(words);
  EXPECT_NE(text.find(" relay here /usr/bin/srun "), std::string::npos) << text;
  EXPECT_NE(text.find(" --ntasks=2 /opt/assay relay rank " + to_base64("[measure]\n") + " /opt/assay-rdma "),
            std::string::npos)
      << text;
  EXPECT_EQ(shared_files_in(words).journal, "/r/j");
  EXPECT_EQ(shared_files_in(words).plan, plan);
}

}  // namespace
}  // namespace assay::suite
