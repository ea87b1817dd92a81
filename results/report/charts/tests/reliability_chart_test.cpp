// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "results/report/reliability.hpp"

namespace assay::results {
namespace {

using testing::HasSubstr;

PredictedReliability predicted() {
  return {.about = "16384 GPUs",
          .checkpoints = {{.kind = "blocking",
                           .best_interval_s = 600,
                           .shares = {{300, {0.9, 0.88, 0.92}}, {600, {0.95, {}, {}}}}}},
          .spares = {{25, 0.99}},
          .cautions = {"far from measured"}};
}

TEST(ReliabilityChart, HasPercentOfTheTimeAndOfRestarts) {
  const auto data = reliability_chart(predicted());
  EXPECT_EQ(data["checkpoints"][0]["points"][0].dump(),
            R"({"interval_s":300.0,"value":90.0,"lower":88.0,"upper":92.0})");
  EXPECT_TRUE(data["checkpoints"][0]["points"][1]["lower"].is_null());
  EXPECT_EQ(data["spares"].dump(), R"([{"nodes":25,"probability":99.0}])");
}

TEST(ReliabilityChart, TablesHaveTheSameNumbersAndThePageSaysPredicted) {
  const std::string html = reliability_section(predicted());
  EXPECT_THAT(html, HasSubstr("Predicted. 16384 GPUs"));
  EXPECT_THAT(html, HasSubstr("Caution: far from measured"));
  EXPECT_THAT(html, HasSubstr("best"));
  EXPECT_THAT(html, HasSubstr("99.00"));
  EXPECT_EQ(reliability_section({}), "");
}

}  // namespace
}  // namespace assay::results
