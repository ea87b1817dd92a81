// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// assay predict on small files of our own: the table byte for byte, JSON, a batch, and what it refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
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
using tests::text_of;

const std::string golden_folder = std::string(ASSAY_SOURCE_DIR) + "/harness/front/cli/tests/predict";

/// Runs `assay predict` where the sample files are, with standard error joined to standard output.
Said predict(const std::string& arguments) { return tests::assay_in(golden_folder, "predict " + arguments); }

void expect_golden(const std::string& text, const std::string& name) {
  const std::string path = golden_folder + "/" + name;
  if (std::getenv("ASSAY_APPROVE") != nullptr) std::ofstream(path) << text;
  EXPECT_EQ(text, text_of(path));
}

TEST(Predict, TellsTimeByPartAndMemoryByClass) {
  const Said said = predict("application.json execution.json system.json");
  EXPECT_EQ(said.exit_code, 0);
  expect_golden(said.text, "step.txt");
}

TEST(Predict, WritesEveryNumberAsJson) {
  const Said said = predict("application.json execution.json system.json --json");
  EXPECT_EQ(said.exit_code, 0);
  expect_golden(said.text, "step.json");
  EXPECT_EQ(core::json_from<json>(said.text).at("stats").size(), 96U);
}

TEST(Predict, ByAssaysModelKnowsMoreAndSaysWhereTimesComeFrom) {
  const Said said = predict("application_experts.json execution_experts.json system.json --model assay");
  EXPECT_EQ(said.exit_code, 0);
  expect_golden(said.text, "step_assay.txt");
  const json all = core::json_from<json>(
      predict("application_experts.json execution_experts.json system.json --model assay --json").text);
  EXPECT_EQ(all.at("model"), "assay");
  EXPECT_EQ(all.at("pricing").size(), 5U);
  EXPECT_EQ(all.at("stats").size(), 101U);
}

TEST(Predict, ByAssaysModelWithoutItsKeysIsCalculonsLessItsFaults) {
  const json calculon = core::json_from<json>(text_of(golden_folder + "/step.json")).at("stats");
  const json assay =
      core::json_from<json>(predict("application.json execution.json system.json --model assay --json").text)
          .at("stats");
  EXPECT_EQ(assay.at("fw_time"), calculon.at("fw_time"));
  EXPECT_EQ(assay.at("block_re_time"), calculon.at("block_re_time"));
  EXPECT_LT(assay.at("block_re_flops"), calculon.at("block_re_flops"));
  EXPECT_EQ(assay.at("baseblock_recomm_time"), 0);  // attn_only without seq_par_ag_redo
}

TEST(Predict, ByCalculonsModelNamesTheKeysThatItLeavesOut) {
  const std::string path = testing::TempDir() + "assay_predict_more_keys.json";
  json application = core::json_from<json>(text_of(golden_folder + "/application.json"));
  application["kv_heads"] = 1;
  application["num_experts"] = 8;
  std::ofstream(path) << application.dump();
  const Said said = predict(path + " execution.json system.json --compat calculon");
  EXPECT_EQ(said.exit_code, 0);
  EXPECT_EQ(said.text, "warning: " + path +
                           ": not used: kv_heads (--model assay uses it); num_experts (not known)\n" +
                           text_of(golden_folder + "/step.txt"));
  const std::string search = "search " + path + " 32 64 bfloat16 system.json --top 1 --compat calculon";
  EXPECT_THAT(tests::assay_in(golden_folder, search).text,
              testing::StartsWith("warning: " + path + ": not used: kv_heads"));
  std::filesystem::remove(path);
}

TEST(Predict, ByTheModelThatKnowsTheKeysOfTheFiles) {
  const auto chosen = [](const std::string& key) {
    return "warning: " + key +
           ": not a key of Calculon's, so --model assay predicts (--compat calculon: Calculon)\n";
  };
  const std::string files = "application_experts.json execution_experts.json system.json";
  const std::string first = chosen("application_experts.json: kv_heads");
  EXPECT_EQ(predict(files).text, first + predict(files + " --model assay").text);
  EXPECT_EQ(predict(files + " --compat calculon").exit_code, 2) << "the execution has a key that it refuses";
  const std::string search = "search application_experts.json 16 16 bfloat16 system.json --top 1";
  EXPECT_THAT(tests::assay_in(golden_folder, search).text, testing::StartsWith(first));

  const std::string path = testing::TempDir() + "assay_predict_by_keys.jsonl";
  const auto part = [](const char* name) {
    return core::json_from<json>(text_of(golden_folder + "/" + name));
  };
  std::ofstream(path) << json{
      {"application", part("application.json")},
      {"execution", part("execution_experts.json")},
      {"system",
       part("system.json")}}.dump();
  EXPECT_THAT(predict("--batch " + path).text, HasSubstr(": not a key of Calculon's, so --model assay"));
  std::filesystem::remove(path);
}

TEST(Predict, ReplacesValuesOfTheFileThatHasTheKey) {
  const json execution = core::json_from<json>(text_of(golden_folder + "/execution.json"));
  const auto group = execution["tensor_par"].get<int>() * execution["pipeline_par"].get<int>();
  const auto stats = [](const std::string& more) {
    const Said said = predict("application.json execution.json system.json --json " + more);
    EXPECT_EQ(said.exit_code, 0) << said.text;
    return core::json_from<json>(said.text)["stats"];
  };
  const std::string path = testing::TempDir() + "assay_predict_doubled.json";
  json doubled = execution;
  doubled["num_procs"] = 2 * group;
  doubled["data_par"] = 2;
  std::ofstream(path) << doubled.dump();
  const json wanted =
      core::json_from<json>(predict("application.json " + path + " system.json --json").text)["stats"];
  EXPECT_EQ(stats("--gpus " + std::to_string(2 * group)), wanted);
  EXPECT_EQ(stats("--set data_par=2 --set execution.num_procs=" + std::to_string(2 * group)), wanted);
  EXPECT_NE(stats("--set seq_size=1024"), stats(""));
  EXPECT_EQ(stats("--set model.seq_size=1024"), stats("--set seq_size=1024"));
  EXPECT_NE(stats("--set networks[0].efficiency=0.1"), stats(""));
  std::filesystem::remove(path);
}

TEST(Predict, WarnsOfLinksThatCountBothDirections) {
  const std::string path = testing::TempDir() + "assay_predict_both_directions.json";
  json system = core::json_from<json>(text_of(golden_folder + "/system.json"));
  system["networks"][0]["bandwidth"] = 900;
  std::ofstream(path) << system.dump();
  const Said said = predict("application.json execution.json " + path);
  EXPECT_EQ(said.exit_code, 0);
  EXPECT_THAT(said.text, testing::StartsWith("warning: " + path + ": networks[0].bandwidth: 675 GB/s"));
  std::filesystem::remove(path);
}

TEST(Predict, AStepThatDoesNotFitSaysWhyAndEndsWithOne) {
  const Said said = predict("application.json execution_too_big.json system.json");
  EXPECT_EQ(said.exit_code, 1);
  EXPECT_THAT(said.text, HasSubstr("does not fit: Mem tier1 needs "));
  EXPECT_THAT(said.text, HasSubstr(" but only has 80.000 GiB\n"));
}

TEST(Predict, ABatchAnswersEveryLineInItsPlace) {
  const std::string path = testing::TempDir() + "assay_predict_batch.jsonl";
  const auto part = [](const char* name) {
    return core::json_from<json>(text_of(golden_folder + "/" + name));
  };
  const auto line = [&](const char* execution) {
    return json{{"application", part("application.json")},
                {"execution", part(execution)},
                {"system", part("system.json")}}
        .dump();
  };
  std::ofstream(path) << line("execution.json") << "\n{\"application\": 3}\n"
                      << line("execution_too_big.json") << "\n";
  const Said said = predict("--batch " + path + " 2> /dev/null");
  EXPECT_EQ(said.exit_code, 2);
  std::istringstream lines(said.text);
  std::string first, second, third;
  std::getline(lines, first), std::getline(lines, second), std::getline(lines, third);
  json alone = core::json_from<json>(text_of(golden_folder + "/step.json"));
  for (const char* of_one_prediction : {"accounting", "training_step"})
    EXPECT_EQ(alone.erase(of_one_prediction), 1);
  EXPECT_EQ(core::json_from<json>(first), alone);
  EXPECT_EQ(core::json_from<json>(second).at("status"), "rejected");
  EXPECT_THAT(core::json_from<json>(second).at("message").get<std::string>(), HasSubstr(".jsonl:2"));
  EXPECT_EQ(core::json_from<json>(third).at("status"), "infeasible");
}

TEST(Predict, AKeyThatStandsTwiceIsRefusedInAFileAndInALine) {
  const std::string path = testing::TempDir() + "assay_predict_twice.json";
  std::ofstream(path) << R"({"hidden": 4, "feedforward": 8, "hidden": 8})" << "\n";
  const Said file = predict(path + " execution.json system.json");
  EXPECT_EQ(file.exit_code, 2);
  EXPECT_EQ(file.text, "assay: " + path + ": hidden: this key is there twice, keep one\n");
  EXPECT_THAT(predict("--batch " + path + " 2> /dev/null").text,
              HasSubstr(path + ":1: hidden: this key is there twice"));
}

TEST(Predict, ABatchWithALineThatCannotBeUsedSaysWhichWasTheFirst) {
  const std::string path = testing::TempDir() + "assay_predict_bad_batch.jsonl";
  std::ofstream(path) << "no json\n";
  const Said said = predict("--batch " + path);
  EXPECT_EQ(said.exit_code, 2);
  EXPECT_THAT(said.text,
              HasSubstr("assay: lines that cannot be used: 1 of 1, the first: " + path + ":1: not JSON"));
}

struct RefusedFile {
  const char* arguments;
  const char* says;
};

class RefusedPrediction : public testing::TestWithParam<RefusedFile> {};

TEST_P(RefusedPrediction, EndsWithOneLineAndTwo) {
  const Said said = predict(GetParam().arguments);
  EXPECT_EQ(said.exit_code, 2);
  EXPECT_THAT(said.text, HasSubstr(GetParam().says));
  EXPECT_EQ(std::ranges::count(said.text, '\n'), 1) << said.text;
}

INSTANTIATE_TEST_SUITE_P(
    Cases, RefusedPrediction,
    testing::Values(
        RefusedFile{"", "expected APPLICATION EXECUTION SYSTEM, or --batch FILE"},
        RefusedFile{"application.json execution.json", "expected APPLICATION EXECUTION SYSTEM"},
        RefusedFile{"nothing.json execution.json system.json", "nothing.json: cannot be read"},
        RefusedFile{"application.json system.json system.json", "system.json: matrix: unknown key"},
        RefusedFile{"step.txt execution.json system.json", "step.txt: not JSON"},
        RefusedFile{"application.json execution.json system.json --set tensor=4",
                    "--set tensor=4: no file has that key; expected model.KEY, execution.KEY or system.KEY"},
        RefusedFile{"application.json execution.json system.json --set tensor_par=many",
                    "--set tensor_par=many: expected a value like the one there, "},
        RefusedFile{"application.json execution.json system.json --set execution.tensor=4",
                    "execution.json: tensor: unknown key"},
        RefusedFile{"application.json execution.json system.json --set system.tensor=4",
                    "system.json: tensor: there is no such key"},
        RefusedFile{"application.json execution.json system.json --gpus 7",
                    "--gpus 7: expected a multiple of "},
        RefusedFile{"--batch nothing.jsonl --gpus 8", "--set, --gpus: expected no --batch"},
        RefusedFile{"--batch nothing.jsonl", "nothing.jsonl: cannot be read"},
        RefusedFile{"--batch /dev/null", "/dev/null: holds no line; expected an object with application,"},
        RefusedFile{"--batch /tmp", "/tmp: is a folder; expected a file of JSON lines"},
        RefusedFile{"--batch /dev/zero", "/dev/zero: is a device; expected a file of JSON lines"},
        RefusedFile{"--batch $(head -c 300 /dev/zero | tr '\\0' n)",
                    "nnn: cannot be read; expected a file of"},
        RefusedFile{"--batch ''", "--batch: expected the name of a file, got an empty one"},
        RefusedFile{"application.json /dev/urandom system.json",
                    "/dev/urandom: is a device; expected a JSON"},
        RefusedFile{"application.json execution.json \"$(printf 'a\\nb\\377')\"",
                    "a\\nb\\xff: cannot be read; expected a JSON file"},
        RefusedFile{"application.json '' system.json", "execution: expected the name of a file"},
        RefusedFile{"application.json execution.json . ", ".: is a folder; expected a JSON file"},
        RefusedFile{"application.json --batch x.jsonl", "excludes"},
        RefusedFile{"application.json execution.json system.json --compat astra", "astra not in {calculon}"},
        RefusedFile{"application.json execution.json system.json --model astra", "astra not in {assay}"},
        RefusedFile{"application.json execution.json system.json --compat calculon --model assay",
                    "excludes"},
        RefusedFile{"application.json execution.json system.json --coefficients a.json",
                    "--coefficients: Calculon's model cannot use them; expected --model assay too"},
        RefusedFile{"application.json execution.json system.json --model assay --coefficients a.json",
                    "a.json: cannot be read; expected a file that assay fit wrote"},
        RefusedFile{"application.json execution_experts.json system.json --compat calculon",
                    "execution_experts.json: expert_par: unknown key (expected num_procs,"},
        RefusedFile{
            "application.json execution_experts.json system.json --model assay",
            "execution_experts.json: expert_par: expected a divisor of the application's experts 0"}));

}  // namespace
}  // namespace assay::cli
