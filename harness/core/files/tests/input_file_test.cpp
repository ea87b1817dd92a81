// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/files/input_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "harness/core/files/descriptor.hpp"
#include "harness/core/tests/eventually.hpp"
#include "harness/core/tests/message_of.hpp"

namespace assay::core {
namespace {

using tests::message_of;

std::string why_not(const std::string& path) {
  return message_of([&] { static_cast<void>(read_input(path, "a list", 1 << 20)); });
}

/// A named pipe that is there while a test runs.
class InputPipe : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove(path_);
    ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  }
  void TearDown() override { std::filesystem::remove(path_); }

  const std::string path_ = testing::TempDir() + "assay_input_pipe_" + std::to_string(::getpid());
};

TEST(InputFile, GivesTheWholeFile) {
  const std::string path = testing::TempDir() + "assay_input_file_" + std::to_string(::getpid()),
                    text(700'000, 'x');
  std::ofstream(path) << text;
  EXPECT_EQ(read_input(path, "a list", 1 << 20), text);
  EXPECT_EQ(read_input("/dev/null", "a list", 1), "");
}

TEST(InputFile, RefusesWhatCanBeNoInputAndSaysWhatItIs) {
  EXPECT_EQ(why_not(""), "expected the name of a list, got an empty one");
  EXPECT_EQ(why_not("/nowhere"), "/nowhere: cannot be read; expected a list");
  EXPECT_EQ(why_not("/tmp"), "/tmp: is a folder; expected a list");
  EXPECT_EQ(why_not("/dev/zero"), "/dev/zero: is a device; expected a list");
  EXPECT_EQ(why_not("/proc/self/mem"), "/proc/self/mem: cannot be read; expected a list");
  EXPECT_EQ(why_not("a\nb\xff"), "a\\nb\\xff: cannot be read; expected a list");
}

TEST(InputFile, RefusesANameThatIsTooLongInAMessageThatIsNot) {
  const std::string said = why_not(std::string(5'000, 'n'));
  EXPECT_LT(said.size(), 600U);
  EXPECT_TRUE(said.ends_with("...: cannot be read; expected a list")) << said;
}

TEST(InputFile, RefusesMoreThanItMayHold) {
  const std::string path = testing::TempDir() + "assay_input_long_" + std::to_string(::getpid());
  std::ofstream(path) << std::string((1 << 20) + 1, 'x');
  EXPECT_EQ(why_not(path), path + ": is longer than 1 MiB; expected a list");
}

TEST_F(InputPipe, IsReadToItsEndThoughItsWriterComesLateAndPauses) {
  std::thread writer([&, reader = gettid()] {
    EXPECT_TRUE(tests::eventually_waits(reader));
    const Descriptor pipe(::open(path_.c_str(), O_WRONLY));
    EXPECT_EQ(::write(pipe.get(), "first", 5), 5);
    EXPECT_TRUE(tests::eventually([&] {
      int unread = -1;
      return ::ioctl(pipe.get(), FIONREAD, &unread) == 0 && unread == 0;
    }));
    EXPECT_TRUE(tests::eventually_waits(reader));
    EXPECT_EQ(::write(pipe.get(), " second", 7), 7);
  });
  EXPECT_EQ(read_input(path_, "a list", 1 << 20), "first second");
  writer.join();
}

TEST_F(InputPipe, IsGivenUpWhereNoProgramWritesToIt) {
  EXPECT_EQ(why_not(path_), path_ + ": is a pipe that no program writes to; expected a list");
}

TEST(InputFile, IsThereByAnyNameWithoutAnError) {
  EXPECT_TRUE(is_there("/dev/null"));
  EXPECT_TRUE(is_there("/"));
  EXPECT_FALSE(is_there("/nowhere"));
  EXPECT_FALSE(is_there(""));
  EXPECT_FALSE(is_there(std::string(300, 'x')));
}

}  // namespace
}  // namespace assay::core
