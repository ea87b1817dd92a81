// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/interval_command.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace assay::offload {
namespace {

TEST(IntervalTable, HasEachFormulaAndWhatIsInUse) {
  const FailureCosts costs{.checkpoint_s = 60, .restart_s = 300, .mean_time_between_failures_s = 10800};
  EXPECT_EQ(interval_table(costs, 3600),
            "         work between s     useful share\n"
            "Young            1138.4          87.36 %\n"
            "Daly             1098.8          87.37 %\n"
            "in use           3600.0          80.37 %\n");
}

TEST(IntervalCommand, WithoutAFailureRateIsAUsageError) {
  std::string words[] = {"interval", "--checkpoint", "5"};
  char* argv[] = {words[0].data(), words[1].data(), words[2].data()};
  EXPECT_EQ(interval_command(3, argv), 2);
}

std::string refusal(const std::string& flag, const std::string& value) {
  std::vector<std::string> words = {"interval", "--checkpoint", "5", "--mtbf", "3"};
  if (flag == "--checkpoint")
    words[2] = value;
  else if (flag == "--mtbf")
    words[4] = value;
  else
    words.insert(words.end(), {flag, value});
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  const int exit_code = interval_command(static_cast<int>(argv.size()), argv.data());
  EXPECT_EQ(testing::internal::GetCapturedStdout().empty(), exit_code == 2);
  const std::string text = testing::internal::GetCapturedStderr();
  return exit_code == 2 ? text : "taken";
}

TEST(IntervalCommand, RefusesWhatIsNoFiniteNumberAboveZeroInOneLine) {
  for (const std::string flag : {"--checkpoint", "--mtbf", "--interval"})
    for (const std::string value :
         {"nan", "inf", "-inf", "0", "-1", "1e400", "1e300", "1e-300", "five", "5s"})
      EXPECT_EQ(refusal(flag, value),
                "assay-offload interval: " + flag + ": " + value +
                    " given, expected a number from 1e-06 to 1000000000 (see --help)\n");
  EXPECT_EQ(refusal("--restart", "nan"),
            "assay-offload interval: --restart: nan given, expected a number from 0 to 1000000000 (see "
            "--help)\n");
  EXPECT_EQ(refusal("--restart", "0"), "taken");
  EXPECT_EQ(refusal("--checkpoint", "1e-6"), "taken");
  EXPECT_EQ(refusal("--mtbf", "0.5"), "taken");
}

}  // namespace
}  // namespace assay::offload
