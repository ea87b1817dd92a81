// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/interval_command.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace assay::offload
