// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// assay fabric simulate on uneven all-to-alls, streams that overlap, several jobs and predicted steps.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "harness/core/text/json_from.hpp"
#include "harness/front/cli/tests/said.hpp"

namespace assay::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using tests::Said;

const std::string examples_folder = std::string(ASSAY_SOURCE_DIR) + "/model/examples";

Said simulated(const std::string& arguments) {
  return tests::assay_in(examples_folder + "/fabric", "fabric simulate zone-128.toml " + arguments);
}

json simulated_numbers(const std::string& arguments) {
  const Said said = simulated(arguments + " --json");
  EXPECT_EQ(said.exit_code, 0) << said.text;
  return core::json_from<json>(said.text);
}

TEST(FabricWorkloads, AnAllToAllOfAMatrixMovesItsBytes) {
  const json answer = simulated_numbers("experts-16.toml --set routing=spray");
  std::string text = tests::text_of(examples_folder + "/fabric/experts-16.csv");
  std::ranges::replace(text, ',', ' ');
  std::istringstream numbers(text);
  double bytes = 0;
  for (double number = 0; numbers >> number;) bytes += number;
  double received = 0;
  for (const json& link : answer["links"]["leaf>host"]["bytes"]) received += link.get<double>();
  EXPECT_DOUBLE_EQ(received, 2 * bytes);
  EXPECT_THAT(answer["answer"].get<std::string>(),
              testing::StartsWith("2 times 15976KiB all_to_all_v (by experts-16.csv) on 16 GPUs: "));
}

TEST(FabricWorkloads, AnExchangeTakesItsShareOfTheComputeNextToIt) {
  const json answer = simulated_numbers("overlap-128.toml --seeds 3");
  EXPECT_TRUE(answer["streams_overlap"].get<bool>());
  // The exchange outlasts compute, which hence runs at 96 %.
  EXPECT_NEAR(answer["operations"][0]["time_us"]["median"].get<double>(), 60000 / 0.96, 60);
  EXPECT_GT(answer["operations"][1]["time_us"]["median"].get<double>(), 62500);
}

TEST(FabricWorkloads, JobsTakeLongerTogetherThanAlone) {
  const Said said = simulated("two-jobs-128.toml --seeds 2 --details");
  EXPECT_EQ(said.exit_code, 0) << said.text;
  EXPECT_THAT(said.text, testing::StartsWith("two jobs, 2 operations: "));
  EXPECT_THAT(said.text, HasSubstr("'gradients' takes "));
  EXPECT_THAT(said.text, HasSubstr("Jobs\n"));
  const json answer = simulated_numbers("two-jobs-128.toml --seeds 2");
  ASSERT_EQ(answer["jobs"].size(), 2U);
  EXPECT_EQ(answer["jobs"][1]["start_us"], 1000);
  for (const json& one : answer["jobs"]) {
    EXPECT_EQ(one["slowdown"]["of_seeds"].size(), 2U);
    EXPECT_NEAR(
        one["slowdown"]["of_seeds"][0].get<double>(),
        one["together_us"]["of_seeds"][0].get<double>() / one["alone_us"]["of_seeds"][0].get<double>(), 1e-9);
  }
  EXPECT_EQ(simulated("two-jobs-128.toml --seeds 2 --threads 1 --details").text, said.text);
  EXPECT_THAT(
      tests::assay_in(examples_folder + "/fabric", "fabric place zone-128.toml two-jobs-128.toml").text,
      HasSubstr("two-jobs-128.toml: job: expected one job to place, got 2"));
}

class PredictedStep : public testing::Test {
 protected:
  void SetUp() override {
    const Said said = tests::assay_in(
        examples_folder,
        "predict llama3-70b.json llama3-70b-on-64.json systems/h100-sxm.json --model assay --json");
    ASSERT_EQ(said.exit_code, 0) << said.text;
    prediction_ = core::json_from<json>(said.text.substr(said.text.find('{')));
    write(prediction_);
  }
  void TearDown() override { std::filesystem::remove(file_); }
  void write(const json& text) const { std::ofstream(file_) << text; }

  const std::string servers_ = "--set host.nvlink_gb_per_s=450 --set routing=spray --set spray_efficiency=1";
  json prediction_;
  std::string file_ = testing::TempDir() + "predicted_" + std::to_string(getpid()) + ".json";
};

TEST_F(PredictedStep, TakesAboutWhatWasPredicted) {
  const json answer = simulated_numbers(file_ + " " + servers_);
  const double predicted_s = prediction_["stats"]["total_time"].get<double>();
  EXPECT_NEAR(1e-6 * answer["time_us"]["median"].get<double>() / predicted_s, 1, 0.1);
  EXPECT_EQ(answer["ranks"], 64);
  double computed_us = 0;
  for (const json& one : answer["operations"])
    if (!one.contains("bytes")) computed_us += one["time_us"]["median"].get<double>();
  EXPECT_GT(computed_us, 0.7e6 * predicted_s);
}

TEST_F(PredictedStep, IsAJobOfAWorkloadToo) {
  const std::string workload = testing::TempDir() + "of_prediction.toml";
  std::ofstream(workload) << "name = 'placed'\npredicted = '" << file_ << "'\n";
  EXPECT_EQ(simulated_numbers(workload + " " + servers_)["time_us"],
            simulated_numbers(file_ + " " + servers_)["time_us"]);
  std::ofstream(workload) << "predicted = '" << file_ << "'\nranks = 64\n";
  EXPECT_THAT(simulated(workload).text,
              HasSubstr("of_prediction.toml:2: ranks: expected without 'predicted'"));
  std::filesystem::remove(workload);
}

TEST_F(PredictedStep, IsRefusedWhereItIsNone) {
  const auto complaint = [&](const json& text) {
    write(text);
    const Said said = simulated(file_);
    EXPECT_EQ(said.exit_code, 2) << said.text;
    EXPECT_EQ(std::ranges::count(said.text, '\n'), 1) << said.text;
    return said.text;
  };
  EXPECT_THAT(complaint({{"status", "infeasible"}}), HasSubstr(".json: training_step: missing: expected"));
  json broken = prediction_;
  broken["training_step"]["stream"][0]["op"][0]["compute_us"] = -1;
  EXPECT_THAT(complaint(broken), HasSubstr("stream.op.compute_us: expected a number above 0"));
  broken = prediction_;
  broken["training_step"]["ranks"] = nullptr;
  EXPECT_THAT(complaint(broken), HasSubstr("ranks: missing"));
  std::ofstream(file_) << "{";
  EXPECT_EQ(simulated(file_).exit_code, 2);
}

}  // namespace
}  // namespace assay::cli
