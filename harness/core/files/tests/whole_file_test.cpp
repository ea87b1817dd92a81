// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/files/whole_file.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <future>
#include <iostream>
#include <iterator>

#include "harness/core/tests/message_of.hpp"

namespace assay::core {
namespace {

class WholeFile : public testing::Test {
 protected:
  WholeFile() { std::filesystem::create_directory(folder_); }
  ~WholeFile() override { std::filesystem::remove_all(folder_); }

  static std::string text_of(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  auto files() const {
    return std::distance(std::filesystem::directory_iterator(folder_), std::filesystem::directory_iterator());
  }

  const std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) /
                                        testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(WholeFile, TakesThePlaceOfWhatWasThereAndLeavesNothingBeside) {
  const std::string file = folder_ / "verdicts.json";
  write_whole_file(file, "before");
  write_whole_file(file, std::string_view("a\0b\n", 4));
  EXPECT_EQ(text_of(file), std::string("a\0b\n", 4));
  EXPECT_EQ(files(), 1);
}

TEST_F(WholeFile, ThatCannotBeWrittenIsOneLineAndLeavesNothingBeside) {
  const std::string missing = folder_ / "none" / "verdicts.json", taken = folder_ / "taken";
  EXPECT_EQ(tests::message_of([&] { write_whole_file(missing, "x"); }),
            missing + ": cannot be written: No such file or directory");
  std::filesystem::create_directories(taken + "/full");
  EXPECT_EQ(tests::message_of([&] { write_whole_file(taken, "x"); }),
            taken + ": cannot be written: Is a directory");
  EXPECT_EQ(files(), 1) << "the folder that is in the way";
}

TEST_F(WholeFile, ThatIsWrittenPieceByPieceIsAsItWasWhereAPieceCannotBeMade) {
  const std::string file = folder_ / "a.bundle";
  write_whole_file(file, [](const ByteSink& sink) {
    for (const char* piece : {"one ", "two"}) sink(piece);
  });
  EXPECT_EQ(text_of(file), "one two");
  EXPECT_EQ(tests::message_of([&] {
              write_whole_file(file, [](const ByteSink& sink) {
                sink("three");
                throw std::runtime_error("no more");
              });
            }),
            "no more");
  EXPECT_EQ(text_of(file), "one two");
  EXPECT_EQ(files(), 1);
}

TEST_F(WholeFile, ALinkStaysAndWhatItPointsToIsReplaced) {
  const std::filesystem::path link = folder_ / "link", target = folder_ / "target";
  std::filesystem::create_symlink("target", link);
  write_whole_file(link, "made");  // it points to nothing yet
  EXPECT_EQ(text_of(target), "made");
  write_whole_file(link, "again");
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_TRUE(std::filesystem::is_regular_file(std::filesystem::symlink_status(target)));
  EXPECT_EQ(text_of(target), "again");
  EXPECT_EQ(files(), 2);
}

TEST_F(WholeFile, ALinkToItselfIsRefused) {
  std::filesystem::create_symlink("link", folder_ / "link");
  EXPECT_THAT(tests::message_of([&] { write_whole_file(folder_ / "link", "x"); }),
              testing::HasSubstr("cannot be written: Too many levels of symbolic links"));
}

TEST_F(WholeFile, AFifoIsWrittenIntoAndStaysOne) {
  const std::string fifo = folder_ / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  std::future<std::string> read = std::async(std::launch::async, [&] { return text_of(fifo); });
  write_whole_file(fifo, "through");
  EXPECT_EQ(read.get(), "through");
  EXPECT_TRUE(std::filesystem::is_fifo(fifo));
  EXPECT_EQ(files(), 1);
}

TEST_F(WholeFile, ADeviceIsWrittenIntoAndOneThatTakesNothingIsAnError) {
  write_whole_file("/dev/null", "x");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  std::filesystem::create_symlink("/dev/full", folder_ / "full");
  EXPECT_EQ(tests::message_of([&] { write_whole_file(folder_ / "full", "x"); }),
            (folder_ / "full").string() + ": cannot be written: No space left on device");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST_F(WholeFile, StandardOutputThatIsAFileIsWrittenOnAndNotReplaced) {
  const std::string file = folder_ / "out";
  const int kept = ::dup(STDOUT_FILENO), out = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  std::fflush(stdout);
  ::dup2(out, STDOUT_FILENO);
  std::cout << "before ";
  write_whole_file("/dev/stdout", "page ");
  std::cout << "after" << std::flush;
  ::dup2(kept, STDOUT_FILENO);
  ::close(kept);
  ::close(out);
  EXPECT_EQ(text_of(file), "before page after");
  EXPECT_EQ(files(), 1);
}

TEST_F(WholeFile, WhatAKilledProcessLeftUnfinishedIsNotFollowed) {
  const std::string file = folder_ / "file", other = folder_ / "other";
  write_whole_file(other, "untouched");
  std::filesystem::create_symlink("other", file + "." + std::to_string(::getpid()));
  write_whole_file(file, "x");
  EXPECT_EQ(text_of(file), "x");
  EXPECT_EQ(text_of(other), "untouched");
}

}  // namespace
}  // namespace assay::core
