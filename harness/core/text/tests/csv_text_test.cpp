// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/text/csv_text.hpp"

#include <gtest/gtest.h>

namespace assay::core {
namespace {

TEST(CsvText, GivesASpreadsheetNoFormula) {
  for (const char* text : {"=1+1", "+cmd|x", "@sum", "-2+cmd", "-host", "\tx", "\rx", "+", "-=1"})
    EXPECT_EQ(without_formula(text), std::string("'") + text);
}

TEST(CsvText, LeavesNumbersAndPlainText) {
  for (const char* text : {"-12.5", "+5.0 %", "-12.5 ± 0.4", "-3e-05 [-4e-05, -2e-05]", "-", "", "a=1",
                           "h1-h2", "'quoted'", "-.5"})
    EXPECT_EQ(without_formula(text), text);
}

TEST(CsvText, QuotesWhatWouldEndACell) {
  EXPECT_EQ(csv_cell("plain text"), "plain text");
  EXPECT_EQ(csv_cell("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_cell("say \"no\""), "\"say \"\"no\"\"\"");
  EXPECT_EQ(csv_cell("=HYPERLINK(\"x\")\n"), "\"'=HYPERLINK(\"\"x\"\")\n\"");
}

}  // namespace
}  // namespace assay::core
