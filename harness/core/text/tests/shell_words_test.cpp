// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/text/shell_words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"

namespace assay::core {
namespace {

using testing::ElementsAre;

TEST(SplitWords, KeepsWhatIsInQuotesTogether) {
  EXPECT_THAT(split_words(" -x  A=1 '--comment=two words' \"it's\" a''b '' ", "--words"),
              ElementsAre("-x", "A=1", "--comment=two words", "it's", "ab", ""));
  EXPECT_TRUE(split_words(" \t", "--words").empty());
  try {
    split_words("--comment='two words", "--words");
    FAIL() << "an open quote is refused";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "--words: ' is not closed in: --comment='two words");
    EXPECT_EQ(error.kind(), ErrorKind::usage);
  }
}

TEST(ShellText, IsWhatAShellSplitsIntoTheSameWords) {
  const std::vector<std::string> words{"srun", "--ntasks=4", "two words", "it's", "", "*"};
  EXPECT_EQ(shell_text(words), "srun --ntasks=4 'two words' 'it'\\''s' '' '*'");
}

}  // namespace
}  // namespace assay::core
