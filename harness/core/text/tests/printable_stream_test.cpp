// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A program's output controls no terminal, whatever another wrote into it.
#include "harness/core/text/printable_stream.hpp"

#include <gtest/gtest.h>

#include <iostream>
#include <sstream>

namespace assay::core {
namespace {

std::string shown(const std::vector<std::string>& pieces) {
  std::ostringstream target;
  std::streambuf* const before = std::cout.rdbuf(target.rdbuf());
  {
    const PrintableStreams printable;
    for (const std::string& piece : pieces) std::cout << piece << std::flush;
  }
  std::cout.rdbuf(before);
  return target.str();
}

TEST(PrintableStreams, ShowControlCharactersAndLetTextPass) {
  EXPECT_EQ(shown({"a\tb\n\xC3\xA9 \xF0\x9F\x98\x80\n"}), "a\tb\n\xC3\xA9 \xF0\x9F\x98\x80\n");
  EXPECT_EQ(shown({"h\033[2J\nFAIL\r\a\b\x7f\n"}), "h\\x1b[2J\nFAIL\\r\\x07\\x08\\x7f\n");
  EXPECT_EQ(shown({"\033]0;title\a"}), "\\x1b]0;title\\x07");
  EXPECT_EQ(shown({"\xC2\x9B"
                   "2J \xE2\x80\xAE \xE2\x81\xA6 \xD8\x9C \xff"}),
            "\\xc2\\x9b2J \\xe2\\x80\\xae \\xe2\\x81\\xa6 \\xd8\\x9c \\xff");
}

TEST(PrintableStreams, LetColoursOfTextPassAndNothingThatHidesIt) {
  EXPECT_EQ(shown({"\033[31mred\033[0m"}), "\033[31mred\033[0m");
  EXPECT_EQ(shown({"\033[0;32mgreen\033[m"}), "\033[0;32mgreen\033[m");
  EXPECT_EQ(shown({"\033[8mhidden"}), "\\x1b[8mhidden");
  EXPECT_EQ(shown({"\033[31;8mhidden"}), "\\x1b[31;8mhidden");
}

TEST(PrintableStreams, KnowSequencesThatComeInPieces) {
  EXPECT_EQ(shown({"\xC3", "\xA9", "\xF0\x9F", "\x98\x80"}), "\xC3\xA9\xF0\x9F\x98\x80");
  EXPECT_EQ(shown({"\033", "[", "31", "m", "x"}), "\033[31mx");
  EXPECT_EQ(shown({"\033", "[2", "J"}), "\\x1b[2J");
  EXPECT_EQ(shown({"x\xC3"}), "x\\xc3");
  EXPECT_EQ(shown({"x\033["}), "x\\x1b[");
}

TEST(PrintableStreams, LetTheProgramsOwnControlsPass) {
  std::ostringstream target;
  std::streambuf* const before = std::cout.rdbuf(target.rdbuf());
  {
    const PrintableStreams printable;
    std::cout << TerminalControl{"\r\033[K"} << "line \033[K";
  }
  std::cout.rdbuf(before);
  EXPECT_EQ(target.str(), "\r\033[Kline \\x1b[K");
}

}  // namespace
}  // namespace assay::core
