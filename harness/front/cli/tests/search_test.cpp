// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// assay search on small files of our own: the table byte for byte, JSON that predict reads back, and what it
// refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "harness/core/tests/temporary_folder.hpp"
#include "harness/core/text/json_from.hpp"
#include "harness/front/cli/tests/said.hpp"

namespace assay::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using tests::Said;

const std::string search_samples = std::string(ASSAY_SOURCE_DIR) + "/harness/front/cli/tests/predict";

/// Runs `assay ...` where the sample files are, with standard error joined to standard output.
Said assay_there(const std::string& arguments) { return tests::assay_in(search_samples, arguments); }

TEST(SearchCommand, ListsTheBestOfTheSpace) {
  const Said said = assay_there("search application.json 32 64 bfloat16 system.json --top 5");
  EXPECT_EQ(said.exit_code, 0);
  const std::string path = search_samples + "/search.txt";
  if (std::getenv("ASSAY_APPROVE") != nullptr) std::ofstream(path) << said.text;
  EXPECT_EQ(said.text, tests::text_of(path));
}

TEST(SearchCommand, ListsTheParetoFrontWhereAsked) {
  const Said said = assay_there("search application.json 32 64 bfloat16 system.json --top 1 --pareto");
  EXPECT_EQ(said.exit_code, 0);
  EXPECT_THAT(said.text,
              testing::ContainsRegex("Pareto front: [0-9]+ that no other is as good as in all three"));
  EXPECT_THAT(said.text, HasSubstr("offload GB/s"));
}

TEST(SearchCommand, WritesTheParetoFrontAsJsonWhereAsked) {
  const std::string command = "search application.json 32 64 bfloat16 system.json --top 1 --pareto";
  const json answer = core::json_from<json>(assay_there(command + " --json").text);
  EXPECT_EQ(answer.size(), 3U);
  EXPECT_EQ(answer["counts"]["avoided"], 0);  // the front takes every evaluation
  EXPECT_THAT(assay_there(command).text,
              HasSubstr("Pareto front: " + std::to_string(answer["pareto"].size()) + " that no other"));
  EXPECT_EQ(answer["pareto"][0]["sample_rate"], answer["best"]["0"]["stats"]["sample_rate"]);
  for (const json& one : answer["pareto"]) {
    EXPECT_GT(one["tier1_bytes"], 0);
    EXPECT_GE(one["offload_b_per_s"], 0);
    EXPECT_EQ(one["execution"]["num_procs"], 32);
  }
}

TEST(SearchCommand, KeepsTheFormOfItsJsonWhereNothingFits) {
  json answer = core::json_from<json>(
      assay_there("search application.json 1 1 bfloat16 system_tiny.json --json --sensitivity --pareto")
          .text);
  EXPECT_EQ(answer["counts"]["fit"], 0);
  EXPECT_GT(answer["counts"]["placed"], 0);
  answer.erase("counts");
  EXPECT_EQ(answer, core::json_from<json>(R"({"best": {}, "pareto": [], "sensitivity": []})"));
}

TEST(SearchCommand, CountsWithoutEvaluating) {
  const std::string listed = assay_there("search application.json 32 64 bfloat16 system.json --top 1").text;
  const Said counted = assay_there("search application.json 32 64 bfloat16 system.json --count");
  EXPECT_EQ(counted.exit_code, 0);
  EXPECT_THAT(listed,
              testing::StartsWith(counted.text.substr(0, counted.text.size() - 1) + " configurations, "));
}

// Calculon's form has no place for it.
TEST(SearchCommand, SaysHowManyEvaluationsABoundAvoided) {
  const std::string command = "search application.json 32 64 bfloat16 system.json --top 1 --model assay";
  const json answer = core::json_from<json>(assay_there(command + " --json").text);
  const json& counts = answer["counts"];
  EXPECT_EQ(answer.size(), 2U);
  EXPECT_GT(counts["avoided"], 0);
  EXPECT_EQ(counts["evaluated"].get<std::int64_t>() + counts["avoided"].get<std::int64_t>(), counts["fit"]);
  const std::string text = assay_there(command + " --threads 3").text;
  EXPECT_THAT(text, HasSubstr(counts["evaluated"].dump() + " evaluated, " + counts["avoided"].dump() +
                              " avoided: a bound proves them slower than these\n"));
  EXPECT_THAT(text, testing::StartsWith(counts["configurations"].dump() + " configurations, "));
}

TEST(SearchCommand, WritesExecutionsThatPredictAgreesWith) {
  const Said said = assay_there("search application.json 32 64 bfloat16 system.json --top 2 --json");
  const json ranks = core::json_from<json>(said.text);
  ASSERT_EQ(ranks.size(), 2U);
  const std::string path = testing::TempDir() + "assay_search_execution.json";
  std::ofstream(path) << ranks["0"]["execution"];
  const json predicted =
      core::json_from<json>(assay_there("predict application.json " + path + " system.json --json").text);
  EXPECT_EQ(predicted["stats"], ranks["0"]["stats"]);
}

TEST(SearchCommand, UnderAssaysModelSpreadsExpertsAndWritesExecutionsThatPredictAgreesWith) {
  // 93 GB of weights on processors of 80 GiB: only spread experts fit.
  const std::string command =
      "search application_experts.json 16 16 bfloat16 system.json --model assay --top 1 --at-most tensor=1 "
      "--at-most pipeline=1 --set mem2.GiB=0";
  const json ranks = core::json_from<json>(assay_there(command + " --json --fused-attention true").text);
  EXPECT_EQ(ranks["0"]["model"], "assay");
  EXPECT_EQ(ranks["0"]["execution"]["fused_attention"], true);
  EXPECT_GT(ranks["0"]["execution"].value("expert_par", 1), 1);
  const std::string path = testing::TempDir() + "assay_search_experts.json";
  std::ofstream(path) << ranks["0"]["execution"];
  const json predicted = core::json_from<json>(
      assay_there("predict application_experts.json " + path + " system.json --json --model assay").text);
  EXPECT_EQ(predicted["stats"], ranks["0"]["stats"]);
  const Said said = assay_there(command + " --fused-attention false --sensitivity");
  EXPECT_EQ(said.exit_code, 0);
  EXPECT_THAT(said.text, HasSubstr("Times of the best\n  products: the system's table over FLOPs"));
  EXPECT_THAT(said.text, HasSubstr("Sensitivity of the optimum"));
  EXPECT_THAT(said.text, Not(HasSubstr("fused-attention")));
}

TEST(SearchCommand, WritesTheFastestMappingForPredict) {
  const core::tests::TemporaryFolder folder;
  const std::string best = folder.place("best.json");
  const Said said = assay_there("search application.json 32 64 bf16 system.json --top 1 --json -o " + best);
  const json ranks = core::json_from<json>(said.text);
  EXPECT_EQ(core::json_from<json>(tests::text_of(best)), ranks["0"]["execution"]);
  const json predicted =
      core::json_from<json>(assay_there("predict application.json " + best + " system.json --json").text);
  EXPECT_EQ(predicted["stats"], ranks["0"]["stats"]);
  const Said none = assay_there("search application.json 32 64 bf16 system.json --at-most memory=1MB -o " +
                                folder.place("none.json"));
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.text, HasSubstr("none.json: nothing fits, so there is no mapping to write"));
}

/// Recomputing attention in one kernel, which keeps nothing, changes neither time nor memory.
TEST(SearchCommand, UnderAssaysModelListsNoMappingTwice) {
  const json ranks = core::json_from<json>(
      assay_there("search application.json 32 64 bf16 system.json --model assay --fused-attention true "
                  "--top 10 --json")
          .text);
  std::set<std::string> seen;
  for (const json& rank : ranks) {
    if (!rank.contains("execution")) continue;  // counts
    const json& e = rank["execution"];
    const json what{rank["stats"]["total_time"],
                    rank["stats"]["proc_mem_tier1_cap_req"],
                    rank["stats"]["proc_mem_tier2_cap_req"],
                    e["tensor_par"],
                    e["pipeline_par"],
                    e["data_par"],
                    e["microbatch_size"],
                    e["pipeline_interleaving"],
                    e["tensor_par_net"],
                    e["pipeline_par_net"],
                    e["data_par_net"]};
    EXPECT_TRUE(seen.insert(what.dump()).second) << what;
  }
  EXPECT_EQ(seen.size(), 10U);
}

TEST(SearchCommand, KeepsToConstraintsAndSaysSo) {
  const Said said = assay_there(
      "search application.json 32 64 bfloat16 system.json --top 1 --at-most memory=60GB --at-most tensor=2");
  EXPECT_EQ(said.exit_code, 0);
  EXPECT_THAT(said.text, HasSubstr("placed and fit with memory at most 60GB, tensor at most 2\n"));
}

TEST(SearchCommand, TakesAnotherValueInTheSystem) {
  const Said said =
      assay_there("search application.json 32 64 bfloat16 system.json --count --set mem2.GiB=0");
  const Said with = assay_there("search application.json 32 64 bfloat16 system.json --count");
  EXPECT_EQ(said.exit_code, 0);
  EXPECT_LT(std::stoll(said.text), std::stoll(with.text));
}

TEST(SearchCommand, TellsTheSensitivityOfTheOptimum) {
  const std::string command =
      "search application.json 8 8 bfloat16 system.json --set mem2.GiB=0 --top 1 --sensitivity --plus-minus "
      "5";
  const Said said = assay_there(command);
  EXPECT_EQ(said.exit_code, 0);
  EXPECT_THAT(said.text, HasSubstr("Sensitivity of the optimum to each coefficient (predicted)"));
  EXPECT_THAT(said.text, HasSubstr("matrix.bfloat16.tflops"));
  const json answer = core::json_from<json>(assay_there(command + " --json").text);
  EXPECT_EQ(answer["sensitivity"].size(), 9U);
  EXPECT_EQ(answer["sensitivity"][0]["low"], 950);
  EXPECT_TRUE(answer["best"].contains("0"));
}

TEST(SearchCommand, WhereNothingFitsSaysSoAndEndsWithOne) {
  const Said said = assay_there("search application.json 1 1 bfloat16 system_tiny.json");
  EXPECT_EQ(said.exit_code, 1);
  EXPECT_THAT(said.text, testing::AllOf(HasSubstr(" 0 that fit\n"), testing::EndsWith("\nnone fits\n")));
}

struct Refused {
  const char* arguments;
  const char* says;
};

class RefusedSearch : public testing::TestWithParam<Refused> {};

TEST_P(RefusedSearch, EndsWithOneLineAndTwo) {
  const Said said = assay_there(std::string("search ") + GetParam().arguments);
  EXPECT_EQ(said.exit_code, 2);
  EXPECT_THAT(said.text, HasSubstr(GetParam().says));
  EXPECT_EQ(std::ranges::count(said.text, '\n'), 1) << said.text;
}

INSTANTIATE_TEST_SUITE_P(
    Cases, RefusedSearch,
    testing::Values(
        Refused{"", "application is required"},
        Refused{"application.json 0 64 bfloat16 system.json", "processors: Value 0 not in range"},
        Refused{"application.json many 64 bfloat16 system.json", "many"},
        Refused{"application.json 32 -1 bfloat16 system.json", "1"},
        Refused{"application.json 32 64 int8 system.json", "datatype: expected fp8, fp16, bf16 or fp32"},
        Refused{"application.json 32 64 float16 system.json",
                "system.json: matrix: expected the datatype 'float16' in it"},
        Refused{"application.json 32 64 bfloat16 execution.json",
                "execution.json: matrix: this key is missing"},
        Refused{"application.json 32 64 bfloat16 nothing.json", "nothing.json: cannot be read"},
        Refused{"application.json 32 64 bfloat16 system.json --fused maybe", "maybe not in"},
        Refused{"application.json 32 64 bfloat16 system.json --fused-attention true",
                "--fused-attention requires --model"},
        Refused{"application.json 32 64 bfloat16 system.json --coefficients gemm.json",
                "--coefficients: Calculon's model cannot use them; expected --model assay too"},
        Refused{"application.json 32 64 bfloat16 system.json --model assay --coefficients nothing.json",
                "nothing.json"},
        Refused{"application.json 32 64 bfloat16 system.json --top 0", "--top"},
        Refused{"application.json 32 64 bfloat16 system.json --at-most memry=80GB",
                "--at-most memry=80GB: unknown metric 'memry' (expected one of memory,"},
        Refused{"application.json 32 64 bfloat16 system.json --at-least mfu=lots",
                "--at-least mfu=lots: expected percent, like 50%"},
        Refused{"application.json 32 64 bfloat16 system.json --set networks[7].size=1",
                "system.json: networks[7].size: there is no such key"},
        Refused{"application.json 32 64 bfloat16 system.json --set networks[0].efficiency=2",
                "system.json: networks[0].efficiency: expected a number above 0 and up to 1, got 2"},
        Refused{"application.json 32 64 bfloat16 system.json --count --json", "excludes"},
        Refused{"application.json 32 64 bfloat16 system.json --count --pareto", "excludes"},
        Refused{"application.json 32 64 bfloat16 system.json --count --top 3", "excludes"},
        Refused{"application.json 32 64 bfloat16 system.json --count -o x.json", "excludes"},
        Refused{"application.json 32 64 bfloat16 system.json --count --sensitivity", "excludes"},
        Refused{"application.json 32 64 bfloat16 system.json --plus-minus 5",
                "--plus-minus requires --sensitivity"},
        Refused{"application.json 32 64 bfloat16 system.json --sensitivity --plus-minus 90",
                "--plus-minus"}));

}  // namespace
}  // namespace assay::cli
