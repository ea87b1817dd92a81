// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/tests/help_page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::cli {
namespace {

using tests::HelpPage;

constexpr const char* help_of_run =
    "Measure\nUsage: run\n\nOptions:\n  -h,--help                   Print\n  --plan FILE                 a "
    "file,\n"
    "                              or a name\n  --out FOLDER                folder\n\nTwice ends.\n";

TEST(HelpPage, PrintsTheFirstCommandAsItsHelpDoes) {
  HelpPage page;
  page.add("assay run", help_of_run);
  EXPECT_EQ(page.text(), std::string("\n## assay run\n\n```\n") + help_of_run + "```\n");
}

TEST(HelpPage, NamesAnOptionThatAnEarlierCommandPrintedInTheSameWords) {
  HelpPage page;
  page.add("assay run", help_of_run);
  const std::size_t before = page.text().size();
  page.add("assay burn-in",
           "Usage: burn-in\n\nOptions:\n  -h,--help                   Print\n  --plan FILE                 a "
           "file,\n"
           "                              or a name\n  --for TIME                  how long\n"
           "  --out FOLDER                folder\n\nOnce ends.\n");
  EXPECT_EQ(page.text().substr(before),
            "\n## assay burn-in\n\n```\nUsage: burn-in\n\nOptions:\n  --for TIME                  how long\n"
            "  as assay run: --plan, --out\n\nOnce ends.\n```\n");
}

TEST(HelpPage, PrintsAnOptionOfOtherWordsAgain) {
  HelpPage page;
  page.add("assay run", help_of_run);
  page.add("assay report",
           "Options:\n  --plan FILE                 a file,\n                              of mine\n");
  EXPECT_THAT(page.text(), testing::EndsWith("Options:\n  --plan FILE                 a file,\n"
                                             "                              of mine\n```\n"));
}

TEST(HelpPage, NamesAnArgumentAndLeavesOutAClosingLineThatAnEarlierCommandPrinted) {
  const std::string first = "Positionals:\n  system SYSTEM               the machine\n\nExit code 1: none.\n";
  const std::string second =
      "Positionals:\n  model MODEL                 which\n  system SYSTEM               the "
      "machine\n\nExit code 1: none.\n";
  HelpPage page;
  page.add("assay search", first);
  const std::size_t before = page.text().size();
  page.add("assay explain", second);
  EXPECT_EQ(page.text().substr(before),
            "\n## assay explain\n\n```\nPositionals:\n  model MODEL                 which\n"
            "  as assay search: system\n\n```\n");
}

TEST(HelpPage, GivesNoSectionToACommandThatAddsNothing) {
  HelpPage page;
  page.add("assay run", help_of_run);
  const std::string before = page.text();
  page.add("assay walk",
           "Walk\nUsage: walk\n\nOptions:\n  --out FOLDER                folder\n\nTwice ends.\n");
  EXPECT_EQ(page.text(), before);
}

}  // namespace
}  // namespace assay::cli
