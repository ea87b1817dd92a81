// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Bad files: each ends with one line that names file and key.
#include "model/predict/read/read.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "harness/core/text/json_from.hpp"
#include "model/predict/tests/sample_files.hpp"

namespace assay::model {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// A merge patch for each of the three, as in RFC 7386: null removes a key.
struct BadFile {
  const char* application;
  const char* execution;
  const char* system;
  const char* says;
};

class BadFiles : public testing::TestWithParam<BadFile> {};

std::string complaint(const json& application, const json& execution, const json& system) {
  try {
    read_sample(application, execution, system);
  } catch (const core::Error& error) {
    EXPECT_EQ(error.kind(), core::ErrorKind::usage);
    return error.what();
  }
  return "nothing";
}

TEST_P(BadFiles, EndWithOneLineNamingFileAndKey) {
  json application = sample_application(), execution = sample_execution(), system = sample_system();
  application.merge_patch(core::json_from<json>(GetParam().application));
  execution.merge_patch(core::json_from<json>(GetParam().execution));
  system.merge_patch(core::json_from<json>(GetParam().system));
  const std::string text = complaint(application, execution, system);
  EXPECT_THAT(text, HasSubstr(GetParam().says));
  EXPECT_EQ(text.find('\n'), std::string::npos) << text;
}

INSTANTIATE_TEST_SUITE_P(
    Applications, BadFiles,
    testing::Values(BadFile{R"({"hidden": null})", "{}", "{}",
                            "application.json: hidden: this key is missing"},
                    BadFile{R"({"hidden": 0})", "{}", "{}",
                            "application.json: hidden: expected a whole number from 1 to 1000000000, got 0"},
                    BadFile{R"({"num_blocks": -3})", "{}", "{}", "num_blocks: expected a whole number"},
                    BadFile{R"({"seq_size": 2048.5})", "{}", "{}",
                            "seq_size: expected a whole number from 1 to 1000000000, got 2048.5"},
                    BadFile{R"({"attn_heads": 1e99})", "{}", "{}", "attn_heads: expected a whole number"},
                    BadFile{R"({"attn_size": "128"})", "{}", "{}", "attn_size: expected a whole number"}));

INSTANTIATE_TEST_SUITE_P(
    Executions, BadFiles,
    testing::Values(
        BadFile{"{}", R"({"training": null})", "{}", "execution.json: training: this key is missing"},
        BadFile{"{}", R"({"context_par": 1})", "{}",
                "execution.json: context_par: unknown key (expected num_procs,"},
        BadFile{"{}", R"({"training": 1})", "{}", "training: expected true or false, got 1"},
        BadFile{"{}", R"({"datatype": "int8"})", "{}",
                "datatype: expected one of float8, float16, bfloat16, float32, got \"int8\""},
        BadFile{"{}", R"({"datatype": "float8"})", "{}",
                "datatype: the system's matrix has no 'float8' (system.json)"},
        BadFile{"{}", R"({"attention_type": "grouped"})", "{}",
                "attention_type: expected one of multihead, multiquery"},
        BadFile{"{}", R"({"tensor_par_net": 2})", "{}",
                "tensor_par_net: expected an index below the system's 2 networks, got 2"},
        BadFile{"{}", R"({"tensor_par_net": -1})", "{}", "tensor_par_net: expected a whole number from 0"},
        BadFile{"{}", R"({"num_procs": 2})", "{}",
                "num_procs: expected tensor_par * pipeline_par * data_par = 1 * 1 * 1, got 2"},
        BadFile{"{}", R"({"num_procs": 2, "data_par": 2})", "{}",
                "batch_size: expected a multiple of data_par 2, got 1"},
        BadFile{"{}", R"({"microbatch_size": 2})", "{}",
                "microbatch_size: expected a divisor of batch_size / data_par = 1, got 2"},
        BadFile{"{}", R"({"optimizer_sharding": true})", "{}",
                "optimizer_sharding: expected false where data_par is 1"},
        BadFile{"{}", R"({"data_par_overlap": true})", "{}",
                "data_par_overlap: expected false where data_par is 1"},
        BadFile{"{}", R"({"tensor_par_overlap": "ring"})", "{}",
                "tensor_par_overlap: expected 'none' where tensor_par is 1"},
        BadFile{"{}", R"({"seq_par_ag_redo": true})", "{}", "seq_par_ag_redo: expected false unless"},
        BadFile{"{}", R"({"pipeline_interleaving": 2})", "{}",
                "pipeline_interleaving: expected 1 where pipeline_par is 1, got 2"},
        BadFile{"{}", R"({"training": false, "optimizer_offload": true})", "{}",
                "optimizer_offload: expected false where training is false"},
        BadFile{
            "{}", R"({"num_procs": 4, "tensor_par": 4})", "{}",
            "tensor_par: expected a divisor of the application's attn_heads 2, got 4 (application.json)"}));

INSTANTIATE_TEST_SUITE_P(
    Systems, BadFiles,
    testing::Values(
        BadFile{"{}", "{}", R"({"mem2": null})", "system.json: mem2: this key is missing"},
        BadFile{"{}", "{}", R"({"processing_mode": "max"})",
                "processing_mode: expected one of no_overlap, roofline"},
        BadFile{
            "{}", "{}", R"({"matrix": {"float16": {"gflops_efficiency": [[128, 1.02], [0, 0.1]]}}})",
            "matrix.float16.gflops_efficiency: expected efficiencies above 0 and up to 1, got [128,1.02]"},
        BadFile{"{}", "{}", R"({"matrix": {"float16": {"gflops_efficiency": [[128, -0.5], [0, 0.1]]}}})",
                "efficiencies above 0 and up to 1"},
        BadFile{"{}", "{}", R"({"matrix": {"float16": {"gflops_efficiency": [[128, 0.5]]}}})",
                "expected a last row whose threshold is 0, got [128,0.5]"},
        BadFile{"{}", "{}", R"({"vector": {"float16": {"gflops_efficiency": [[0, 0.5], [16, 0.9]]}}})",
                "vector.float16.gflops_efficiency: expected rows from the largest threshold down to 0, got "
                "[16,0.9]"},
        BadFile{"{}", "{}", R"({"vector": {"float16": {"gflops_efficiency": [[1, null], [0, 0.9]]}}})",
                "rows of [threshold, efficiency], got [1,null]"},
        BadFile{"{}", "{}", R"({"vector": {"float16": {"gflops_efficiency": []}}})",
                "rows of [threshold, efficiency], got []"},
        BadFile{"{}", "{}", R"({"mem1": {"MB_efficiency": [[0, 0.5], [16, 0.9]]}})",
                "mem1.MB_efficiency: expected rows from the largest threshold down to 0"},
        BadFile{"{}", "{}", R"({"mem2": {"GBps": 0}})", "ps: expected a number above 0, got 0"},
        BadFile{"{}", "{}", R"({"mem1": {"GiB": -80}})", "mem1.GiB: expected a number, 0 or above, got -80"},
        BadFile{"{}", "{}", R"({"networks": []})", "networks: expected a list of at least one tier, got []"},
        BadFile{"{}", "{}", R"({"networks": [3]})",
                "system.json: networks[0]: expected a JSON object, got 3"}));

/// Merge patches for each of the three, and what assay's rules say to them.
class BadFilesOfAssay : public testing::TestWithParam<BadFile> {};

TEST_P(BadFilesOfAssay, EndWithOneLineNamingFileAndKey) {
  json application = sample_application(), execution = sample_execution(), system = sample_system();
  application.merge_patch(core::json_from<json>(GetParam().application));
  execution.merge_patch(core::json_from<json>(GetParam().execution));
  system.merge_patch(core::json_from<json>(GetParam().system));
  try {
    read_configuration(application, execution, system, {"application.json", "execution.json", "system.json"},
                       {.model = Model::assay});
    FAIL() << "accepted";
  } catch (const core::Error& error) {
    EXPECT_EQ(error.kind(), core::ErrorKind::usage);
    const std::string text = error.what();
    EXPECT_THAT(text, HasSubstr(GetParam().says));
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Extensions, BadFilesOfAssay,
    testing::Values(
        BadFile{R"({"kvheads": 1})", "{}", "{}", "); did you mean kv_heads?"},
        BadFile{R"({"colour": 1})", "{}", "{}",
                "application.json: colour: unknown key (expected name, hidden,"},
        BadFile{R"({"kv_heads": 0})", "{}", "{}",
                "application.json: kv_heads: expected a whole number from 1"},
        BadFile{R"({"kv_heads": 3})", "{}", "{}", "kv_heads: expected a divisor of attn_heads, got 3"},
        BadFile{R"({"kv_heads": 2})", R"({"attention_type": "multiquery"})", "{}",
                "execution.json: attention_type: expected 'multihead' for an application of kv_heads 2"},
        BadFile{R"({"attn_heads": 6, "kv_heads": 3, "hidden": 12})", R"({"num_procs": 2, "tensor_par": 2})",
                "{}", "tensor_par: expected a divisor or a multiple of the application's kv_heads 3, got 2"},
        BadFile{R"({"gated_mlp": 1})", "{}", "{}", "gated_mlp: expected true or false, got 1"},
        BadFile{R"({"vocabulary": -5})", "{}", "{}", "vocabulary: expected a whole number"},
        BadFile{R"({"vocabulary": 7})", R"({"num_procs": 2, "tensor_par": 2})", "{}",
                "tensor_par: expected a divisor of the application's vocabulary 7"},
        BadFile{R"({"tied_embedding": true})", "{}", "{}", "tied_embedding: expected a vocabulary with it"},
        BadFile{R"({"experts_per_token": 2})", "{}", "{}", "experts_per_token: expected experts with it"},
        BadFile{R"({"experts": 2, "experts_per_token": 3})", "{}", "{}",
                "experts_per_token: expected no more than there are experts, got 3"},
        BadFile{R"({"experts": 2, "capacity_factor": 0})", "{}", "{}",
                "capacity_factor: expected a number above 0, got 0"},
        BadFile{R"({"experts": 4})", R"({"num_procs": 2, "tensor_par": 2, "tensor_par_overlap": "ring"})",
                "{}", "tensor_par_overlap: expected 'none' for an application with experts"}));

INSTANTIATE_TEST_SUITE_P(
    Executions, BadFilesOfAssay,
    testing::Values(
        BadFile{"{}", R"({"sequence_par": 1})", "{}", "execution.json: sequence_par: unknown key (expected"},
        BadFile{"{}", R"({"fused_attention": "yes"})", "{}", "fused_attention: expected true or false"},
        BadFile{"{}", R"({"expert_par": 2})", "{}", "expert_par: expected a divisor of data_par 1, got 2"},
        BadFile{"{}", R"({"num_procs": 2, "data_par": 2, "batch_size": 2, "expert_par": 2})", "{}",
                "expert_par: expected a divisor of the application's experts 0, or 1 without any, got 2"},
        BadFile{R"({"experts": 3})", R"({"num_procs": 2, "data_par": 2, "batch_size": 2, "expert_par": 2})",
                "{}", "expert_par: expected a divisor of the application's experts 3"},
        BadFile{"{}", R"({"expert_par_net": 2})", "{}",
                "expert_par_net: expected an index below the system's 2 networks, got 2"}));

INSTANTIATE_TEST_SUITE_P(
    Systems, BadFilesOfAssay,
    testing::Values(
        BadFile{"{}", "{}", R"({"coefficients": 3})", "system.json: coefficients: expected a word"},
        BadFile{"{}", "{}", R"({"coefficients": "nothing.json"})",
                "nothing.json: cannot be read; expected a file that assay fit wrote"},
        BadFile{"{}", "{}", R"({"mem3": {}})",
                "system.json: mem3: unknown key (expected matrix, vector, mem1, mem2, "
                "processing_mode, networks, coefficients, intervals, name, about, sources); did you mean "
                "mem1?"},
        BadFile{"{}", "{}", R"({"mem1": {"Gib": 80}})", "system.json: mem1.Gib: unknown key (expected GiB, "},
        BadFile{"{}", "{}", R"({"mem1": {"Gib": 80}})", "MB_efficiency); did you mean GiB?"},
        BadFile{"{}", "{}", R"({"vector": {"int4": {}}})",
                "system.json: vector.int4: unknown key (expected float8, float16,"},
        BadFile{"{}", "{}", R"({"matrix": {"float16": {"efficiency": 1}}})",
                "system.json: matrix.float16.efficiency: unknown key (expected tflops,"}));

TEST(ReadSystem, ByAssaysRulesMayHaveANameAndSayWhatItIs) {
  json system = sample_system();
  system["name"] = "small";
  system["about"] = "made for tests";
  EXPECT_NO_THROW(read_system(system, "system.json", Model::assay));
}

TEST(ReadSystem, ByAssaysRulesMayNameCoefficientsAndAnAllToAllInANetworkAndNothingElse) {
  const auto says = [](const char* patch) -> std::string {
    json system = sample_system();
    system["networks"][1].merge_patch(core::json_from<json>(patch));
    try {
      read_system(system, "system.json", Model::assay);
    } catch (const core::Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(says(R"({"coefficients": "nccl.json", "ops": {"all_to_all": [1, -1]}})"), "");
  EXPECT_THAT(says(R"({"speed": 1})"), HasSubstr("networks[1].speed: unknown key"));
  EXPECT_THAT(says(R"({"ops": {"scatter": [1, -1]}})"), HasSubstr("networks[1].ops.scatter: unknown key"));
  EXPECT_THAT(says(R"({"ops": {"all_to_all": [1, null]}})"),
              HasSubstr("ops.all_to_all: expected [scalar above 0"));
}

class BadNetworks : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(BadNetworks, NameTheTier) {
  json system = sample_system();
  system["networks"][1].merge_patch(core::json_from<json>(GetParam().first));
  EXPECT_THAT(complaint(sample_application(), sample_execution(), system),
              HasSubstr(std::string("system.json: networks[1].") + GetParam().second));
}

INSTANTIATE_TEST_SUITE_P(
    Networks, BadNetworks,
    testing::Values(
        std::pair(R"({"speed": 1})", "speed: unknown key"),
        std::pair(R"({"ops": {"all_to_all": [1, -1]}})", "ops.all_to_all: unknown key"),
        std::pair(R"({"ops": {"p2p": [1, -1]}})", "ops.p2p: expected [scalar, null], got [1,-1]"),
        std::pair(R"({"ops": {"all_reduce": [2]}})", "ops.all_reduce: expected [scalar, offset], got [2]"),
        std::pair(R"({"ops": {"all_reduce": [0, -1]}})", "ops.all_reduce: expected a scalar above 0"),
        std::pair(R"({"efficiency": 1.5})", "efficiency: expected a number above 0 and up to 1, got 1.5"),
        std::pair(R"({"processor_usage": 1})", "processor_usage: expected a number from 0 to below 1, got 1"),
        std::pair(R"({"latency": -1e-5})", "latency: expected a number, 0 or above"),
        std::pair(R"({"bandwidth": "fast"})", "bandwidth: expected a number above 0, got \"fast\"")));

TEST(ReadExecution, IsUndoneByWritingIt) {
  json execution = sample_execution();
  execution.merge_patch(core::json_from<json>(
      R"({"num_procs": 24, "tensor_par": 2, "pipeline_par": 3, "data_par": 4, "batch_size": 8,
      "activation_recompute": "attn_only", "tensor_par_comm_type": "rs_ag", "tensor_par_overlap": "pipe",
      "pipeline_interleaving": 5, "weight_offload": true})"));
  EXPECT_EQ(to_json(read_execution(execution, "execution.json")), execution);
}

TEST(ReadSystem, LeavesOtherKeysAloneOutsideNetworks) {
  json system = sample_system();
  system["note"] = "measured on a Sunday";
  system["mem1"]["comment"] = "x";
  EXPECT_EQ(complaint(sample_application(), sample_execution(), system), "nothing");
}

}  // namespace
}  // namespace assay::model
