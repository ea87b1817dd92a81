// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// config.json of Hugging Face and command lines of Megatron-LM, where an application or execution is asked
// for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "harness/core/tests/temporary_folder.hpp"
#include "harness/core/text/json_from.hpp"
#include "harness/front/cli/tests/said.hpp"

namespace assay::cli {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using tests::Said;

Said assay_of(const std::string& arguments) {
  return tests::assay_in(std::string(ASSAY_SOURCE_DIR) + "/harness/front/cli/tests/predict", arguments);
}

/// Behind the warnings.
json json_in(const std::string& said) { return core::json_from<json>(said.substr(said.find("{\n"))); }

TEST(ModernModels, ArePredictedFromTheirConfig) {
  const Said said = assay_of("predict --hf config.json execution_experts.json system.json --sequence 2048");
  EXPECT_EQ(said.exit_code, 0) << said.text;
  EXPECT_THAT(
      said.text,
      AllOf(HasSubstr("config.json: mixtral, 46.70 billion weights, 12.88 a token; sequences of 2048 tokens"),
            HasSubstr("config.json: not used, may change the shape: depth_scale"), HasSubstr("a step takes"),
            HasSubstr("expert parallel")));
  const auto seconds = [](const std::string& how) {
    return core::json_from<json>(assay_of("predict " + how + " --json").text)["stats"]["total_time"]
        .get<double>();
  };
  EXPECT_EQ(seconds("--hf config.json execution_experts.json system.json"),
            seconds("config.json execution_experts.json system.json --model assay"));
}

TEST(ModernModels, AreSearchedAndExplainedFromTheirConfig) {
  const Said search = assay_of(
      "search config.json 16 16 bfloat16 system.json --model assay --sequence 512 --top 1 --at-most tensor=1 "
      "--at-most pipeline=1");
  EXPECT_THAT(search.text, HasSubstr("46.70 billion weights"));
  EXPECT_THAT(assay_of("explain lint config.json --model assay").text, HasSubstr("vocabulary"));
}

TEST(ModernModels, AreSearchedForSequencesOfTheLengthThatIsAsked) {
  const core::tests::TemporaryFolder folder;
  const std::string best = folder.place("best.json");
  const auto found = [&](const std::string& sequence) {
    const std::string search =
        "search config.json 16 16 bf16 system.json --model assay --top 1 --at-most "
        "tensor=1 --at-most pipeline=1 --json -o " +
        best + sequence;
    return json_in(assay_of(search).text)["0"]["stats"]["total_time"];
  };
  const json at_512 = found(" --sequence 512");
  const Said predicted = assay_of("predict --hf config.json " + best + " system.json --sequence 512 --json");
  EXPECT_EQ(json_in(predicted.text)["stats"]["total_time"], at_512);
  EXPECT_LT(at_512, found(""));
}

TEST(ModernModels, AreNotCalculons) {
  const Said said = assay_of("predict config.json execution.json system.json --compat calculon");
  EXPECT_EQ(said.exit_code, 2);
  EXPECT_THAT(said.text, HasSubstr("config.json: model_type: expected none in an application of Calculon; a "
                                   "config.json needs --model assay"));
}

TEST(ModernModels, TakeMegatronsCommandLine) {
  const Said said = assay_of(
      "predict --hf config.json system.json --megatron 'torchrun --nproc-per-node 8 --nnodes 16 pretrain.py "
      "--tensor-model-parallel-size 4 --pipeline-model-parallel-size 2 --expert-model-parallel-size 8 "
      "--micro-batch-size 1 --global-batch-size 256 --seq-length 1024 --sequence-parallel "
      "--use-distributed-optimizer --bf16 --cuda-graph'");
  EXPECT_EQ(said.exit_code, 0) << said.text;
  EXPECT_THAT(
      said.text,
      AllOf(HasSubstr("--megatron: not used, may change the step: --cuda-graph"),
            HasSubstr("sequences of 1024 tokens"),
            HasSubstr("128 processors: tensor 4 x pipeline 2 x data 16; batch 256 in 16 microbatches")));
}

TEST(ModernModels, SayWhichFilesAreMissing) {
  const Said said = assay_of("predict --hf config.json system.json");
  EXPECT_EQ(said.exit_code, 2);
  EXPECT_THAT(said.text, HasSubstr("expected EXECUTION SYSTEM with --hf"));
}

}  // namespace
}  // namespace assay::cli
