// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/whole_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
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
  EXPECT_EQ(tests::message_of([&] { write_whole_file(missing, "x"); }), missing + ": cannot be written");
  std::filesystem::create_directories(taken + "/full");
  EXPECT_EQ(tests::message_of([&] { write_whole_file(taken, "x"); }), taken + ": cannot be written");
  EXPECT_EQ(files(), 1) << "the folder that is in the way";
}

}  // namespace
}  // namespace assay::core
