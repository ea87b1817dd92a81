// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>

#include "harness/core/files/sha256.hpp"
#include "harness/core/files/whole_file.hpp"
#include "harness/front/campaign/nodes/node_answers.hpp"
#include "harness/front/suite/processes/base64.hpp"

namespace assay::campaign {
namespace {

TEST(Base64, EveryLengthAndByteComesBack) {
  std::string bytes;
  for (int i = 0; i < 300; ++i) {
    EXPECT_EQ(suite::from_base64(suite::to_base64(bytes)), bytes) << i;
    bytes += static_cast<char>(i * 7);
  }
}

TEST(Base64, WhatIsNoneIsNothing) {
  for (const char* text : {"a", "a+b=", "ab c", "abcde"})
    EXPECT_EQ(suite::from_base64(text), std::nullopt) << text;
}

class Answers : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() /
      (std::string("answers-") + testing::UnitTest::GetInstance()->current_test_info()->name());
  NodeAnswers answers_{{"n1", "n2"}, folder_};
};

TEST_F(Answers, OfANodeEndIt) {
  answers_.take(to_line({.node = "n1", .hello = Hello{.host = "n1", .version = "1", .revision = "r"}}));
  EXPECT_EQ(answers_.ended(), 0U);
  answers_.take("0: " + to_line({.node = "n1", .end = End{.shared = true}}));
  EXPECT_EQ(answers_.ended(), 1U);
  EXPECT_EQ(answers_.states().at("n1").hello->version, "1");
  EXPECT_FALSE(answers_.states().at("n2").ended());
}

TEST_F(Answers, FilesArriveInPieces) {
  const std::string text(2000, 'x');
  answers_.take(to_line({.node = "n2", .file = FileHead{"r/journal.jsonl", 2000, core::sha256(text)}}));
  for (std::size_t at = 0; at < text.size(); at += piece_bytes)
    answers_.take(to_line({.node = "n2",
                           .piece = FilePiece{"r/journal.jsonl", static_cast<std::int64_t>(at),
                                              text.substr(at, piece_bytes)}}));
  answers_.take(to_line({.node = "n2", .end = End{}}));
  EXPECT_EQ(answers_.incomplete(), std::vector<std::string>{"n1"});  // of n1 nothing was heard
  EXPECT_EQ(core::read_whole_file((folder_ / "n2/r/journal.jsonl").string()), text);
}

TEST_F(Answers, AFileWithALostPieceIsIncompleteAndNotWritten) {
  const std::string text(1500, 'x');
  answers_.take(to_line({.node = "n2", .file = FileHead{"j.jsonl", 1500, core::sha256(text)}}));
  answers_.take(to_line({.node = "n2", .piece = FilePiece{"j.jsonl", 600, text.substr(600, 600)}}));
  answers_.take(to_line({.node = "n2", .end = End{}}));
  EXPECT_EQ(answers_.incomplete(), (std::vector<std::string>{"n1", "n2"}));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "n2/j.jsonl"));
}

TEST_F(Answers, ANodeDoesNotSpeakForAnother) {
  answers_.take(
      to_line({.node = "n1", .voice = "a", .hello = Hello{.host = "n1", .version = "1", .revision = "r"}}));
  answers_.take(to_line({.node = "n1", .voice = "b", .end = End{}}));
  answers_.take(to_line({.node = "n1", .end = End{}}));
  EXPECT_TRUE(answers_.states().at("n1").contested);
  EXPECT_FALSE(answers_.states().at("n1").ended());
  answers_.take(to_line({.node = "n2", .voice = "b", .end = End{}}));
  EXPECT_FALSE(answers_.states().at("n2").contested);
}

TEST_F(Answers, BytesThatArriveAreBounded) {
  NodeAnswers answers({"n1", "n2"}, folder_, 1000);
  const std::string text(900, 'x');
  for (const char* node : {"n1", "n2"}) {
    answers.take(to_line({.node = node, .file = FileHead{"j.jsonl", 900, core::sha256(text)}}));
    answers.take(to_line({.node = node, .piece = FilePiece{"j.jsonl", 0, text.substr(0, 600)}}));
  }
  answers.take(to_line({.node = "n1", .piece = FilePiece{"j.jsonl", 600, text.substr(600)}}));
  for (const char* node : {"n1", "n2"}) answers.take(to_line({.node = node, .end = End{}}));
  EXPECT_EQ(answers.incomplete(), std::vector<std::string>{"n2"});
  EXPECT_TRUE(std::filesystem::exists(folder_ / "n1/j.jsonl"));
  answers.take(to_line({.node = "n2", .file = FileHead{"j.jsonl", 900, core::sha256(text)}}));
  answers.take(to_line({.node = "n2", .piece = FilePiece{"j.jsonl", 0, text}}));
  EXPECT_TRUE(answers.incomplete().empty());  // what was written is no longer counted
}

TEST_F(Answers, ANodeWritesIntoNoOtherFolder) {
  for (const char* path : {"../n1/j.jsonl", "/tmp/j.jsonl", "a/../../j.jsonl", ""}) {
    answers_.take(to_line({.node = "n2", .file = FileHead{path, 0, core::sha256("")}}));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(Answers, DamagedLinesAndStrangersEndNoNode) {
  const std::string line = to_line({.node = "n1", .end = End{}});
  answers_.take(line.substr(0, line.size() / 2));
  answers_.take(to_line({.node = "n9", .end = End{}}));
  answers_.take("srun: error: n1: task 0: Killed");
  EXPECT_EQ(answers_.ended(), 0U);
  EXPECT_EQ(answers_.strangers(), std::vector<std::string>{"n9"});
  EXPECT_EQ(answers_.launcher_line("n1"), "srun: error: n1: task 0: Killed");
}

TEST_F(Answers, OfASecondAskingCount) {
  const auto say = [](NodeAnswers& to, const char* node, const End& end) {
    to.take(to_line({.node = node, .end = end}));
  };
  say(answers_, "n1", {.interrupted = true});  // by mpirun, because it lost n2
  EXPECT_EQ(answers_.incomplete(), (std::vector<std::string>{"n1", "n2"}));
  NodeAnswers second({"n1", "n2"}, folder_);
  say(second, "n1", {.shared = true});
  second.take("ssh: connect to host n2 port 22: No route to host");
  second.take("--------------------------------");
  answers_.take_over(std::move(second));
  EXPECT_EQ(answers_.incomplete(), std::vector<std::string>{"n2"});
  EXPECT_EQ(answers_.launcher_line("n1"), "ssh: connect to host n2 port 22: No route to host");
  NodeAnswers third({"n2"}, folder_);
  third.take("--> Returned value Error (-1) instead of ORTE_SUCCESS");
  answers_.take_over(std::move(third));
  EXPECT_EQ(answers_.launcher_line("n2"), "ssh: connect to host n2 port 22: No route to host");
}

TEST_F(Answers, AHostNameWithItsDomainIsTheNode) {
  answers_.take(to_line({.node = "n1.cluster.example", .end = End{}}));
  EXPECT_TRUE(answers_.states().at("n1").ended());
}

}  // namespace
}  // namespace assay::campaign
