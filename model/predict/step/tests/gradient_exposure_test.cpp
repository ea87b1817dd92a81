// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Steps with hidden gradients against those without, from the published set: pairs of lines that differ in
// data_par_overlap alone.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/core/text/json_from.hpp"
#include "model/predict/answer/prediction.hpp"
#include "model/predict/read/read.hpp"

namespace assay::model {
namespace {

StepTime time_of(const nlohmann::json& line) {
  const Configuration configuration =
      read_configuration(line["application"], line["execution"], line["system"],
                         {"application", "execution", "system"}, {.model = Model::assay});
  const Prediction prediction = predict(configuration);
  EXPECT_TRUE(prediction.verdict.feasible()) << to_string(prediction.verdict);
  return prediction.step.time;
}

TEST(GradientExposure, IsNeverMoreThanTheExchangeOfTheGivenSteps) {
  const std::string folder = ASSAY_TRAINING_STEPS;
  if (folder.empty()) GTEST_SKIP() << "configure with -DASSAY_SHARED_DATA_DIR for the given steps";
  std::ifstream lines(folder + "/gradient-exposure.jsonl");
  std::string overlapped, alone;
  int pairs = 0;
  while (std::getline(lines, overlapped) && std::getline(lines, alone)) {
    const StepTime with = time_of(core::json_from<nlohmann::json>(overlapped));
    const StepTime without = time_of(core::json_from<nlohmann::json>(alone));
    EXPECT_LE(with.total_s, without.total_s * (1 + 1e-12));
    EXPECT_LE(with.data_exposed_s, with.data_link_s * (1 + 1e-12));
    ++pairs;
  }
  EXPECT_GT(pairs, 0);
}

}  // namespace
}  // namespace assay::model
