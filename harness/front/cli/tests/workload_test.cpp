// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// assay workload: tables, files that assay fabric simulate reads, and bad input.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/core/text/json_from.hpp"
#include "harness/front/cli/tests/said.hpp"
#include "model/workload/chakra/tests/trace_writer.hpp"

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
  EXPECT_THAT(said.text, HasSubstr("Without embedding, output head, norms and biases."));
  EXPECT_THAT(said.text, HasSubstr("Sizes"));
}

TEST_F(Workload, WritesWhatTheFabricSimulates) {
  for (const std::string preset :
       {"ddp --set bucket=1GiB", "fsdp --set unit=8 --set shard=8", "megatron", "moe", "dlrm"}) {
    ASSERT_EQ(workload(preset + " --ranks 16 -o step.toml").exit_code, 0) << preset;
    const Said said =
        tests::assay_in(folder_, "fabric simulate " + fabrics + "zone-128.toml step.toml --json");
    ASSERT_EQ(said.exit_code, 0) << preset << said.text;
    EXPECT_GT(core::json_from<nlohmann::json>(said.text)["operations"].size(), 2U) << preset;
  }
}

TEST_F(Workload, CountsTheBordersOfChunksInAPipeline) {
  const auto pipeline_gb = [&](const std::string& divided) {
    const Said said = workload("megatron --ranks 32 --set tensor=2 " + divided + " --format csv --fabric " +
                               fabrics + "small-zone.toml");
    EXPECT_EQ(said.exit_code, 0) << said.text;
    const std::size_t row = said.text.rfind("pipeline,");
    return row == std::string::npos ? 0 : std::stod(said.text.substr(row + 9));
  };
  EXPECT_NEAR(pipeline_gb("--set pipeline=4"), 6.442, 1e-3);
  EXPECT_NEAR(pipeline_gb("--set pipeline=4 --set chunks=2"), 15.032, 1e-3);
  EXPECT_NEAR(pipeline_gb("--set pipeline=2 --set chunks=2"), 12.885, 1e-3);
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

class ChakraTraces : public Workload {
 protected:
  void SetUp() override {
    Workload::SetUp();
    if (workload("--chakra x --ranks 2").text.find("this build has no protobuf") != std::string::npos)
      GTEST_SKIP() << "this build has no protobuf";
  }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ + "/" + name, std::ios::binary) << bytes;
  }
  static std::vector<model::workload::WrittenNode> nodes(const std::string& group) {
    using model::workload::collective;
    return {
        {.id = 1, .duration_us = 500},
        {.id = 2, .type = collective, .data_deps = {1}, .comm_type = 0, .comm_size = 1 << 20, .group = group},
        {.id = 3, .type = model::workload::sends, .data_deps = {2}},
        {.id = 4, .type = collective, .data_deps = {3}, .comm_type = 2, .comm_size = 4096}};
  }
};

TEST_F(ChakraTraces, BecomeAStepThatTheFabricSimulates) {
  for (const char* rank : {"0", "1", "2", "3"})
    write(std::string("t.") + rank + ".et", model::workload::trace_bytes(nodes(*rank < '2' ? "1" : "2")));
  const Said said = workload("--chakra t.0.et t.1.et t.2.et t.3.et -o step.toml");
  EXPECT_EQ(said.exit_code, 0) << said.text;
  EXPECT_THAT(said.text, HasSubstr("t.0 on 4 ranks; imported from Chakra traces"));
  EXPECT_THAT(said.text, HasSubstr("4 exchanges left out: gathers, scatters, barriers"));
  EXPECT_THAT(tests::text_of(folder_ + "/step.toml"), HasSubstr(R"(groups = ["0-1","2-3"])"));
  EXPECT_EQ(tests::assay_in(folder_, "fabric simulate " + fabrics + "zone-128.toml step.toml").exit_code, 0);
}

TEST_F(ChakraTraces, TakeGroupsFromAstraSimsFile) {
  write("t.et", model::workload::trace_bytes(nodes("1")));
  write("groups.json", R"({"1": [0, 2], "2": [1, 3]})");
  EXPECT_EQ(workload("--chakra t.et --ranks 4 --groups groups.json -o step.toml").exit_code, 0);
  EXPECT_THAT(tests::text_of(folder_ + "/step.toml"), HasSubstr(R"(groups = "0:4:2:2")"));
  write("beyond.json", R"({"1": [0, 4]})");
  expect_one_line("--chakra t.et --ranks 4 --groups beyond.json", "group '1' has rank 4");
  expect_one_line("--chakra t.et --ranks 4 --groups t.et", "t.et: expected ASTRA-sim's groups in JSON");
  EXPECT_EQ(workload("ddp --ranks 4 --groups groups.json").exit_code, 2);
}

TEST_F(ChakraTraces, ThatAreDamagedAreRefusedInOneLine) {
  const std::string whole = model::workload::trace_bytes(nodes("1"));
  write("whole.et", whole);
  write("cut.et", whole.substr(0, whole.size() - 3));
  write("circle.et",
        model::workload::trace_bytes({{.id = 1, .data_deps = {2}}, {.id = 2, .data_deps = {1}}}));
  write("orphan.et", model::workload::trace_bytes({{.id = 1, .data_deps = {9}}}));
  expect_one_line("--chakra cut.et --ranks 2", "the message there is cut short");
  expect_one_line("--chakra circle.et --ranks 2", "circle.et: node 1 waits for itself");
  expect_one_line("--chakra orphan.et --ranks 2", "orphan.et: node 1 depends on node 9, which is missing");
  expect_one_line("--chakra none.et --ranks 2", "none.et: ");
  expect_one_line("--chakra whole.et", "--ranks: expected at least 2");
  expect_one_line("--chakra whole.et whole.et --ranks 3", "--ranks: expected one trace for each rank");
}

TEST_F(Workload, AsJsonIsOneObjectWithEveryTable) {
  const auto json = core::json_from<nlohmann::json>(
      workload("megatron --ranks 128 --format json --fabric " + fabrics + "zone-128.toml").text);
  EXPECT_EQ(json.at("ranks"), 128);
  EXPECT_EQ(json.at("origin"), "by formula, not measured");
  EXPECT_EQ(json.at("tables").size(), 3U);
}

TEST_F(Workload, RefusesBadInputInOneLine) {
  expect_one_line("", "expected a preset, a workload file, or --chakra");
  expect_one_line("megatron --ranks 256 --fabric " + fabrics + "zone-128.toml", "zone-128.toml: 256 ranks");
  expect_one_line("megatron --ranks 8 --fabric none.toml", "none.toml: ");
  expect_one_line("ddp", "--ranks: missing");
  expect_one_line("dpp --ranks 8", "'dpp' is not a preset: expected ddp, fsdp, megatron, moe, dlrm");
  expect_one_line("ddp --ranks 8 --model llama9", "llama9");
  expect_one_line("megatron --ranks 24 --set data=2",
                  "data: 8 tensor x 1 context x 1 pipeline x 2 data is 16");
  expect_one_line("ddp --ranks 8 --set batch=2 --set batch=3", "expected each key once");
  expect_one_line("none.toml", "none.toml: ");
  for (const char* what : {"step.toml", "dlrm --ranks 8"})
    expect_one_line(std::string(what) + " --model gpt3-175b", "--model: expected a preset that has blocks");
  expect_one_line("step.toml --ranks 8", "--ranks and --set are for presets");
  expect_one_line("ddp --ranks 8 -o none/step.toml", "none/step.toml: ");
}

}  // namespace
}  // namespace assay::cli
