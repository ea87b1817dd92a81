// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/printable.hpp"

#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "harness/core/tests/message_of.hpp"

namespace assay::core {
namespace {

TEST(Printable, LeavesTextAsItIs) {
  EXPECT_EQ(printable("grün, 8 × H100 \"a\\b\"", 100), "grün, 8 × H100 \"a\\b\"");
  EXPECT_EQ(printable("", 100), "");
}

TEST(Printable, EscapesWhatWouldMoveTheCursorOrIsNoCharacter) {
  EXPECT_EQ(printable("a\nb\tc\rd", 100), "a\\nb\\tc\\rd");
  EXPECT_EQ(printable(std::string_view("\0\x1b[2J\x7f", 6), 100), "\\x00\\x1b[2J\\x7f");
  EXPECT_EQ(printable("\xff\xc3", 100), "\\xff\\xc3");
  EXPECT_EQ(printable("\xc2\x9b", 100), "\\xc2\\x9b") << "a terminal takes U+009B for an escape";
}

TEST(Printable, TakesNoOverlongFormNoSurrogateAndNothingBeyondUnicode) {
  for (const char* wrong :
       {"\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80"})
    EXPECT_EQ(utf8_length(wrong), 0U) << printable(wrong, 100);
  EXPECT_EQ(utf8_length("\xf4\x8f\xbf\xbf"), 4U);
  EXPECT_EQ(utf8_length("\xe2\x82\xac"), 3U);
  EXPECT_EQ(utf8_length("\xe2\x82"), 0U);
}

TEST(Printable, IsNeverLongerThanItMayBeAndCutsNoCharacter) {
  EXPECT_EQ(printable("0123456789", 10), "0123456789");
  EXPECT_EQ(printable("0123456789a", 10), "0123456...");
  EXPECT_EQ(printable("012345€€€", 10), "012345...");
  EXPECT_EQ(printable("012345\n\n\n", 10), "012345...");
  EXPECT_EQ(printable("0123456789", 2), "..");
}

TEST(ValidText, HasNoByteThatAReaderRefuses) {
  EXPECT_EQ(valid_text("a\xff"
                       "b\x01"
                       "c\td\n"),
            "a\xef\xbf\xbd"
            "b c d\n");
  EXPECT_EQ(valid_text("H100 \xe2\x82\xac"), "H100 \xe2\x82\xac");
  EXPECT_EQ(valid_text("\xe2\x82"), "\xef\xbf\xbd\xef\xbf\xbd") << "a sequence that is cut off";
  EXPECT_EQ(valid_text("\x1b[2J\xc2\x9b\x7f"), " [2J  ") << "what a terminal would obey";
  EXPECT_EQ(valid_text("a\tb\rc\n", "\t"), "a\tb c ");
}

TEST(PrintableMessage, KeepsItsStartAndItsEnd) {
  const std::string message = "file.json: key: " + std::string(100'000, 'x') + ": expected a number";
  const std::string shown = printable_message(message);
  EXPECT_LE(shown.size(), 2'000U);
  EXPECT_TRUE(shown.starts_with("file.json: key: xxx"));
  EXPECT_TRUE(shown.ends_with("xxx: expected a number"));
  EXPECT_NE(shown.find("..."), std::string::npos);
  EXPECT_EQ(printable_message("short"), "short");
}

TEST(PrintableMessage, IsBoundedWhereEveryByteIsEscaped) {
  const std::string shown = printable_message(std::string(1'900, '\xff'));
  EXPECT_LE(shown.size(), 2'000U);
  EXPECT_TRUE(shown.ends_with("\\xff"));
}

TEST(UsageError, IsOneBoundedPrintableLineWhateverItQuotes) {
  const std::string said = tests::message_of(
      [] { usage_error("f.csv:2: got '\n\x1b[2J\xff" + std::string(1'000'000, 'x') + "'"); });
  EXPECT_TRUE(said.starts_with("f.csv:2: got '\\n\\x1b[2J\\xffxxx")) << said;
  EXPECT_LE(said.size(), 2'000U);
}

}  // namespace
}  // namespace assay::core
