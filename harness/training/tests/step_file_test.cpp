// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/training/step_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/core/error.hpp"
#include "harness/training/presets.hpp"

namespace assay::training {
namespace {

using testing::HasSubstr;

class StepFile : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string refusal(const std::string& toml) const {
    std::ofstream(file_) << toml;
    try {
      read_step(file_);
    } catch (const core::Error& error) {
      EXPECT_EQ(error.kind(), core::ErrorKind::usage);
      return error.what();
    }
    return "accepted";
  }
  std::string refusal_of_operation(const std::string& keys) const {
    return refusal("ranks = 4\n[[stream]]\n[[stream.op]]\n" + keys);
  }

  std::string folder_ = testing::TempDir() + "assay_steps_" + std::to_string(getpid());
  std::string file_ = folder_ + "/step.toml";
};

/// Compute is written in other units, and rounded.
nlohmann::json exchanges_json(const TrainingStep& step) {
  nlohmann::json json = to_json(step);
  for (nlohmann::json& stream : json["stream"])
    for (nlohmann::json& one : stream["op"]) one.erase("compute_us");
  return json;
}

TEST_F(StepFile, ReadsWhatItWrote) {
  for (const Preset& one : presets()) {
    const TrainingStep step = preset_step(one, 16, workload::find_model("llama3-8b"), {});
    write_step(step, file_);
    const TrainingStep again = read_step(file_);
    EXPECT_EQ(exchanges_json(again), exchanges_json(step)) << one.name;
    EXPECT_NEAR(compute_path_s(again), compute_path_s(step), 1e-9 * compute_path_s(step));
    EXPECT_EQ(again.ranks, 16U);
  }
}

TEST_F(StepFile, KeepsMatricesInFilesOfTheirOwn) {
  const TrainingStep step = preset_step(preset("dlrm"), 4, {}, {});
  write_step(step, file_);
  EXPECT_TRUE(std::filesystem::exists(folder_ + "/step-matrix1.csv"));
  const TrainingStep again = read_step(file_);
  EXPECT_EQ(*again.streams[0].operations[1].matrix, *step.streams[0].operations[1].matrix);
}

TEST_F(StepFile, EscapesNames) {
  TrainingStep step{.name = "a \"quoted\"\n\x01 name", .ranks = 2};
  add(step, {.name = "s\\", .operations = {{.name = "compute", .compute_s = 1}}});
  write_step(step, file_);
  EXPECT_EQ(read_step(file_).name, step.name);
  EXPECT_EQ(read_step(file_).streams[0].name, "s\\");
}

TEST_F(StepFile, KeepsTheRanksThatCompute) {
  TrainingStep step{.name = "stages", .ranks = 4};
  add(step, {.name = "s", .operations = {{.name = "compute", .compute_s = 1, .groups = "0+2-3"}}});
  write_step(step, file_);
  EXPECT_EQ(read_step(file_).streams[0].operations[0].groups, "0+2-3");
}

TEST_F(StepFile, OfAFabricSaysOnceWhichKeysModulesDoNotUse) {
  const std::string op = "[[stream.op]]\ncollective = 'all_reduce'\nbytes = '1KiB'\nalgorithm = 'ring'\n";
  std::ofstream(file_) << "ranks = 4\norder = 'linear'\n[[stream]]\n" + op + op;
  const TrainingStep step = read_step(file_);
  EXPECT_EQ(step.unused,
            (std::vector<std::string>{file_ + ":2: order: not used: it is of fabrics alone",
                                      file_ + ":7: stream.op.algorithm: not used: it is of fabrics alone"}));
  EXPECT_EQ(step.streams[0].operations.size(), 2U);
}

TEST_F(StepFile, HasStreamsInAnOrderInWhichEachCanBegin) {
  const std::string op = "[[stream.op]]\ncompute_us = 1\n";
  std::ofstream(file_) << "ranks = 4\n[[stream]]\nname = 'a'\nafter = 'b'\n" + op +
                              "[[stream]]\nname = 'b'\n" + op;
  const TrainingStep step = read_step(file_);
  EXPECT_EQ(step.streams[0].name, "b");
  EXPECT_EQ(step.streams[1].after, std::vector<std::string>{"b"});
}

TEST_F(StepFile, NamesTheLineAndKeyOfWhatIsWrong) {
  EXPECT_THAT(refusal_of_operation("compute_us = 1\non = '4'\n"),
              HasSubstr("step.toml:5: stream.op.on: '4': rank 4 is beyond the last, 3"));
  EXPECT_THAT(refusal_of_operation("collective = 'all_reduce'\non = '0-1'\nbytes = '1KiB'\n"),
              HasSubstr("step.toml:5: stream.op.on: unknown key"));
  EXPECT_THAT(refusal("ranks = 0\n[[stream]]\n"),
              HasSubstr("step.toml:1: ranks: expected a whole number from 1"));
  EXPECT_THAT(refusal("ranks = 2\n"), HasSubstr("stream: missing: expected tables"));
  EXPECT_THAT(refusal("ranks = 2\n[[job]]\n"),
              HasSubstr("step.toml:2: job: of fabrics alone: expected the streams of one step"));
  EXPECT_THAT(refusal("ranks = 2\n[[stream]]\nafter = 'x'\n[[stream.op]]\ncompute_us = 1\n"),
              HasSubstr("step.toml:3: stream.after: there is no stream 'x'"));
  EXPECT_THAT(refusal("ranks = 2\n[[stream]]\nafter = [1]\n[[stream.op]]\ncompute_us = 1\n"),
              HasSubstr("stream.after: expected text, or a list of texts"));
  EXPECT_THAT(refusal_of_operation("compute_us = -1\n"),
              HasSubstr("step.toml:4: stream.op.compute_us: expected"));
  EXPECT_THAT(refusal_of_operation("collective = 'all_red'\n"),
              HasSubstr("step.toml:4: stream.op.collective: 'all_red' is unknown"));
  EXPECT_THAT(refusal_of_operation("pattern = 'incast'\nbytes = '1KiB'\n"),
              HasSubstr("step.toml:4: stream.op.pattern: 'incast' is of fabrics alone"));
  EXPECT_THAT(refusal_of_operation("pattern = 'shift'\nby = 2\nbytes = '1KiB'\n"),
              HasSubstr("step.toml:5: stream.op.by: a shift by 2 is of fabrics alone: expected 1"));
  EXPECT_THAT(refusal_of_operation("collective = 'all_to_all_v'\ndistribution = 'zipf'\nbytes = '1KiB'\n"),
              HasSubstr("step.toml:5: stream.op.distribution: of fabrics alone: expected matrix"));
  EXPECT_THAT(refusal_of_operation("collective = 'all_reduce'\nbytes = '1x'\n"),
              HasSubstr("5: stream.op.bytes: "));
  EXPECT_THAT(refusal_of_operation("collective = 'all_reduce'\nbytes = '1KiB'\ngroups = '0:8'\n"),
              HasSubstr("step.toml:6: stream.op.groups: '0:8': rank 7 is beyond the last, 3"));
  EXPECT_THAT(refusal_of_operation("collective = 'all_to_all_v'\nbytes = '1KiB'\n"),
              HasSubstr("matrix: expected either matrix, a CSV file, or distribution"));
  EXPECT_THAT(refusal("ranks = 2\n[[stream]]\nname = 'a'\n[[stream.op]]\ncompute_us = 1\n[[stream]]\n"
                      "name = 'a'\n"),
              HasSubstr("step.toml:7: stream.name: two streams are named 'a'"));
}

}  // namespace
}  // namespace assay::training
