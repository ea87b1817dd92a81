// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// assay explain on small files of our own: one answer byte for byte, every question once, and what it
// refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/core/text/json_from.hpp"
#include "harness/front/cli/tests/said.hpp"

namespace assay::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using tests::Said;

const std::string folder = std::string(ASSAY_SOURCE_DIR) + "/harness/front/cli/tests/predict";

/// Runs `assay explain ...` where the sample files are, with standard error joined to standard output.
Said explain(const std::string& arguments) { return tests::assay_in(folder, "explain " + arguments); }

TEST(ExplainCommand, AnswersWhereScalingStops) {
  const Said said = explain(
      "scaling application.json system.json --datatype bfloat16 --max-batch 64 --processors 64,16,32,128 "
      "--set mem2.GiB=0");
  EXPECT_EQ(said.exit_code, 0);
  const std::string path = folder + "/scaling.txt";
  if (std::getenv("ASSAY_APPROVE") != nullptr) std::ofstream(path) << said.text;
  EXPECT_EQ(said.text, tests::text_of(path));
}

TEST(ExplainCommand, AnswersTheOtherQuestions) {
  const std::string files = " application.json system.json --datatype bfloat16 --max-batch 16 ";
  EXPECT_THAT(explain("nvlink-domain" + files + "--processors 16 --domains 4,8").text,
              StartsWith("The smallest domain within 1 % of the best: "));
  EXPECT_THAT(explain("offload" + files + "--processors 16 --capacities 64 --bandwidths 25,50").text,
              HasSubstr("samples/s with a second memory without limits"));
  EXPECT_THAT(explain("blocks" + files + "--processors 16 --blocks 48,47").text,
              HasSubstr("blocks map best: "));
  EXPECT_THAT(
      explain("fits system.json application.json --datatype bfloat16 --max-batch 16 --processors 16").text,
      StartsWith("1 of 1 fit on 16 processors, the largest application at "));
}

TEST(ExplainCommand, UnderAssaysModelNamesItsTermsAndCountsItsParameters) {
  const Said said = explain(
      "scaling application_experts.json system.json --datatype bfloat16 --max-batch 32 --processors 16,64 "
      "--set mem2.GiB=0 --model assay");
  EXPECT_EQ(said.exit_code, 0);
  EXPECT_THAT(said.text, HasSubstr("experts' all-to-all"));
  EXPECT_THAT(said.text, HasSubstr("embedding and head"));
  EXPECT_THAT(explain("lint application_experts.json --model assay").text,
              StartsWith("46.7118 billion parameters; "));
}

TEST(ExplainCommand, AsJsonIsTheAnswerAndItsTables) {
  const Said said = explain("lint application.json --json");
  const auto json = core::json_from<nlohmann::json>(said.text);
  EXPECT_EQ(json["answer"], "39.096 billion parameters; 0 warnings.");
  EXPECT_EQ(json["tables"].size(), 1U);
}

TEST(ExplainCommand, LintWithWarningsEndsWithOne) {
  const std::string path = testing::TempDir() + "assay_explain_odd.json";
  std::ofstream(path) << R"({"hidden": 8192, "feedforward": 32768, "seq_size": 2048, "attn_heads": 64,
                             "attn_size": 128, "num_blocks": 47, "vocabulary": 50257})";
  const Said said = explain("lint " + path + " system.json --datatype bfloat16");
  EXPECT_EQ(said.exit_code, 1);
  EXPECT_THAT(said.text, HasSubstr("3 warnings."));
  EXPECT_THAT(said.text, HasSubstr("47 has the divisors 1 47"));
  EXPECT_THAT(said.text, HasSubstr("pad it to 51200"));
  EXPECT_THAT(said.text, HasSubstr("34.4 GFLOP: 30 % of peak in the table, 75 % for large ones"));
}

TEST(ExplainCommand, WhereNothingFitsSaysSoAndEndsWithOne) {
  const Said said = explain("fits system_tiny.json application.json --datatype bfloat16 --processors 1");
  EXPECT_EQ(said.exit_code, 1);
  EXPECT_THAT(said.text, StartsWith("None of these fits on 1 processors."));
}

struct RefusedQuestion {
  const char* arguments;
  const char* says;
};

class RefusedExplain : public testing::TestWithParam<RefusedQuestion> {};

TEST_P(RefusedExplain, EndsWithOneLineAndTwo) {
  const Said said = explain(GetParam().arguments);
  EXPECT_EQ(said.exit_code, 2);
  EXPECT_THAT(said.text, HasSubstr(GetParam().says));
  EXPECT_EQ(std::ranges::count(said.text, '\n'), 1) << said.text;
}

INSTANTIATE_TEST_SUITE_P(
    Cases, RefusedExplain,
    testing::Values(
        RefusedQuestion{"scaling", "application is required"},
        RefusedQuestion{
            "why application.json system.json",
            "unknown command 'why' (expected one of: scaling nvlink-domain offload blocks fits lint)"},
        RefusedQuestion{"scaling application.json system.json --processors 16",
                        "--processors: expected at least two counts to scale between"},
        RefusedQuestion{"scaling application.json system.json --processors 16,many", "many"},
        RefusedQuestion{"scaling application.json system.json --processors 4096 12288",
                        "--processors 4096 12288: expected one list with commas, 4096,12288"},
        RefusedQuestion{"offload --bandwidths 25 50 100 application.json system.json",
                        "--bandwidths 25 50 100: expected one list with commas, 25,50,100"},
        RefusedQuestion{"scaling application.json system.json --max-batch 16 12288", "12288"},
        RefusedQuestion{"scaling application.json system.json --processors 0,16", "0 not in range"},
        RefusedQuestion{"scaling application.json system.json --datatype int8",
                        "datatype: expected fp8, fp16, bf16 or fp32"},
        RefusedQuestion{"scaling application.json system.json",
                        "system.json: matrix: expected the datatype 'float16' in it"},
        RefusedQuestion{"nvlink-domain application.json system.json --domains 0", "0 not in range"},
        RefusedQuestion{"offload application.json system.json --bandwidths -5", "got '-5'"},
        RefusedQuestion{"offload application.json system.json --capacities 1.5", "1.5"},
        RefusedQuestion{"blocks '' system.json",
                        "application: expected the name of a file, got an empty one"},
        RefusedQuestion{"blocks application.json nothing.json", "nothing.json: cannot be read"},
        RefusedQuestion{"blocks application.json system.json --set mem9.GiB=1",
                        "system.json: mem9.GiB: there is no such key"},
        RefusedQuestion{"fits application.json", "application.json: matrix: this key is missing"},
        RefusedQuestion{"fits system.json system.json", "system.json: hidden: this key is missing"},
        RefusedQuestion{"lint nothing.json", "nothing.json: cannot be read"},
        RefusedQuestion{"lint application.json --set mem1.GiB=40", "--set requires --system"},
        RefusedQuestion{"lint application.json --datatype bfloat16", "--datatype requires --system"},
        RefusedQuestion{"lint application.json system.json --model assay --coefficients gemm.json",
                        "--coefficients: a lint uses the tables of SYSTEM only; expected none"},
        RefusedQuestion{"lint system.json", "system.json: hidden: this key is missing"}));

}  // namespace
}  // namespace assay::cli
