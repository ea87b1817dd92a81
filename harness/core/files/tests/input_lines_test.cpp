// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/files/input_lines.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <vector>

namespace assay::core {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::size_t most_line_bytes = 300'000;

/// A line that is too long is "...".
std::vector<std::string> lines_of(const std::string& text) {
  const std::string path = testing::TempDir() + "assay_input_lines_" + std::to_string(::getpid());
  std::ofstream(path, std::ios::binary) << text;
  InputLines lines(path, "lines", most_line_bytes);
  std::vector<std::string> all;
  while (lines.next()) all.emplace_back(lines.too_long() ? "..." : std::string(lines.line()));
  return all;
}

TEST(InputLines, AreWhatStandsBetweenLineFeeds) {
  EXPECT_THAT(lines_of(""), IsEmpty());
  EXPECT_THAT(lines_of("a\n\nb"), ElementsAre("a", "", "b"));
  EXPECT_THAT(lines_of("a\r\nb\n"), ElementsAre("a\r", "b"));
  EXPECT_THAT(lines_of(std::string("a\0b\n", 4)), ElementsAre(std::string("a\0b", 3)));
}

TEST(InputLines, GoOnOverThePiecesInWhichTheFileIsRead) {
  const std::string half(100'000, 'x'), whole(most_line_bytes, 'y');
  EXPECT_THAT(lines_of(half + "\n" + half + "\n" + whole + "\n" + half),
              ElementsAre(half, half, whole, half));
}

TEST(InputLines, GoOnBehindOneThatIsTooLong) {
  const std::string long_line(5 * most_line_bytes, 'z');
  EXPECT_THAT(lines_of("a\n" + long_line + "\nb\n"), ElementsAre("a", "...", "b"));
  EXPECT_THAT(lines_of(long_line), ElementsAre("..."));
}

}  // namespace
}  // namespace assay::core
