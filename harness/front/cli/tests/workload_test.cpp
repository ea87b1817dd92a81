// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// assay workload: tables, files that assay fabric simulate reads, and bad input.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "harness/front/cli/tests/said.hpp"

namespace assay::cli {
namespace {

using testing::HasSubstr;
using tests::Said;

const std::string fabrics = std::string(ASSAY_SOURCE_DIR) + "/model/examples/fabric/";

class Workload : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  Said workload(const std::string& arguments) const {
    return tests::assay_in(folder_, "workload " + arguments);
  }
  void expect_one_line(const std::string& arguments, const std::string& says) const {
    const Said said = workload(arguments);
    EXPECT_EQ(said.exit_code, 2) << said.text;
    EXPECT_THAT(said.text, HasSubstr(says));
    EXPECT_EQ(std::ranges::count(said.text, '\n'), 1) << said.text;
  }

  std::string folder_ = testing::TempDir() + "assay_workload_" + std::to_string(getpid());
};

TEST_F(Workload, PrintsTheOperationsOfAStep) {
  const Said said = workload("megatron --model llama3-70b --ranks 64 --set tensor=8 --set pipeline=4");
  EXPECT_EQ(said.exit_code, 0);
  EXPECT_THAT(said.text, HasSubstr("megatron of llama3-70b on 64 ranks; by formula, not measured"));
  EXPECT_THAT(said.text, HasSubstr("between stages"));
  EXPECT_THAT(said.text, HasSubstr("Sizes"));
}

TEST_F(Workload, WritesWhatTheFabricSimulates) {
  for (const std::string preset :
       {"ddp --set bucket=1GiB", "fsdp --set unit=8 --set shard=8", "megatron", "moe", "dlrm"}) {
    ASSERT_EQ(workload(preset + " --ranks 16 -o step.toml").exit_code, 0) << preset;
    const Said said =
        tests::assay_in(folder_, "fabric simulate " + fabrics + "zone-128.toml step.toml --json");
    ASSERT_EQ(said.exit_code, 0) << preset << said.text;
    EXPECT_GT(nlohmann::json::parse(said.text)["operations"].size(), 2U) << preset;
  }
}

TEST_F(Workload, ReadsItsOwnFile) {
  ASSERT_EQ(workload("dlrm --ranks 8 -o step.toml").exit_code, 0);
  EXPECT_EQ(workload("step.toml --format csv").text, workload("dlrm --ranks 8 --format csv").text);
}

TEST_F(Workload, ShowsWhichDimensionReachesWhichLevel) {
  const Said said = workload("megatron --ranks 128 --set tensor=8 --fabric " + fabrics + "zone-128.toml");
  EXPECT_EQ(said.exit_code, 0);
  EXPECT_THAT(said.text, HasSubstr("among   bytes (GB)  leaf (GB)  spine (GB)"));
  EXPECT_THAT(said.text, HasSubstr("Bytes of all ranks in a step"));
}

TEST_F(Workload, RefusesBadInputInOneLine) {
  expect_one_line("megatron --ranks 256 --fabric " + fabrics + "zone-128.toml", "zone-128.toml: 256 ranks");
  expect_one_line("megatron --ranks 8 --fabric none.toml", "none.toml: ");
  expect_one_line("ddp", "--ranks: missing");
  expect_one_line("dpp --ranks 8", "'dpp' is not a preset: expected ddp, fsdp, megatron, moe, dlrm");
  expect_one_line("ddp --ranks 8 --model llama9", "llama9");
  expect_one_line("megatron --ranks 24 --set data=2",
                  "data: 8 tensor x 1 context x 1 pipeline x 2 data is 16");
  expect_one_line("none.toml", "none.toml: ");
  expect_one_line("step.toml --ranks 8", "--ranks and --set are for presets");
  expect_one_line("ddp --ranks 8 -o none/step.toml", "none/step.toml: ");
}

}  // namespace
}  // namespace assay::cli
