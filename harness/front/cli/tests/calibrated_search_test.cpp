// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// From timings to the optimum and how sure it is: assay fit and assay export, then assay search with what
// they wrote.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "harness/core/tests/temporary_folder.hpp"
#include "harness/core/text/json_from.hpp"
#include "harness/front/cli/tests/said.hpp"

namespace assay::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using tests::Said;

const std::string sample = std::string(ASSAY_SOURCE_DIR) + "/harness/front/cli/tests/predict";

class CalibratedSearch : public testing::Test {
 protected:
  CalibratedSearch() {
    folder_.file("gemm.csv", gemms());
    folder_.file("collectives.csv", collectives());
  }

  Said assay(const std::string& arguments) const { return tests::assay_in(folder_.place("."), arguments); }
  /// Searches for a small model on 16 processors of `system`, with a sensitivity.
  json searched(const std::string& system, const std::string& more) const {
    const Said said = assay("search " + sample + "/application.json 16 16 bfloat16 " + system +
                            " --set mem2.GiB=0 --top 1 --sensitivity --json " + more);
    EXPECT_EQ(said.exit_code, 0) << said.text;
    return json_in(said.text);
  }
  /// The JSON that follows the warnings.
  static json json_in(const std::string& text) { return core::json_from<json>(text.substr(text.find('{'))); }
  void fit() const {
    ASSERT_EQ(assay("fit gemm --csv gemm.csv -o gemm.fit").exit_code, 0);
    ASSERT_EQ(assay("fit collectives --csv collectives.csv -o nvlink.fit").exit_code, 0);
  }

  /// 600 TFLOP/s after 4 us, each shape up to 5 % off.
  static std::string gemms() {
    std::string text = "m,n,k,dtype,time_us\n";
    for (int m = 9; m <= 13; ++m)
      for (int n = 9; n <= 13; ++n)
        for (int k = 9; k <= 13; ++k)
          text += fmt::format(
              "{},{},{},bf16,{:.9g}\n", 1 << m, 1 << n, 1 << k,
              (4 + std::exp2(m + n + k + 1) / 6e8) * (1 + 0.05 * std::sin(m * 37 + n * 11 + k * 5)));
    return text;
  }
  /// A ring of 8 at 300 GB/s after 12 us, each size up to 5 % off.
  static std::string collectives() {
    std::string text = "op,ranks,size_bytes,dtype,time_us\n";
    for (int power = 16; power <= 28; ++power)
      for (const char* operation : {"all_reduce", "all_gather", "reduce_scatter"}) {
        const double ring = (operation[4] == 'r' ? 1.75 : 0.875) * std::exp2(power);
        text += fmt::format("{},8,{:.0f},bf16,{:.9g}\n", operation, std::exp2(power),
                            (12 + ring / 3e5) * (1 + 0.05 * std::sin(power * 3)));
      }
    return text;
  }

  core::tests::TemporaryFolder folder_;
};

const json& row_of(const json& sensitivity, const std::string& key) {
  for (const json& row : sensitivity)
    if (row["coefficient"] == key) return row;
  static const json none = {{"interval", "missing"}, {"low", 0}, {"high", 0}};
  return none;
}

TEST_F(CalibratedSearch, VariesAnExportedSystemOverTheIntervalsThatWereMeasured) {
  const Said said = assay("export calculon --csv gemm.csv --collectives collectives.csv --base " + sample +
                          "/system.json -o measured.json");
  ASSERT_EQ(said.exit_code, 0) << said.text;
  const json sensitivity = searched("measured.json", "")["sensitivity"];
  for (const char* key : {"matrix.bfloat16.tflops", "networks[0].bandwidth", "networks[0].latency"}) {
    const json& row = row_of(sensitivity, key);
    EXPECT_EQ(row["interval"], "stated") << key;
    const double low = row["low"].get<double>(), high = row["high"].get<double>();
    EXPECT_LT(low, high) << key;
    EXPECT_LT(high, 1.2 * low) << key;
  }
  EXPECT_EQ(row_of(sensitivity, "networks[1].bandwidth")["interval"], "assumed");
  const json& matrix = row_of(sensitivity, "matrix.bfloat16.tflops");
  EXPECT_LE(matrix["at_low"]["sample_rate"], matrix["at_high"]["sample_rate"]);
  EXPECT_LT(matrix["at_low"]["sample_rate"],
            searched("measured.json", "")["best"]["0"]["stats"]["sample_rate"]);
}

TEST_F(CalibratedSearch, TakesFittedTimesUnderAssaysModel) {
  fit();
  const json found =
      searched(sample + "/system.json", "--model assay --coefficients gemm.fit --coefficients 0=nvlink.fit");
  EXPECT_THAT(found["best"]["0"]["pricing"][0], HasSubstr("products with weights: gemm.fit"));
  EXPECT_THAT(found["best"]["0"]["pricing"][1], HasSubstr("network 0: nvlink.fit"));
  const Said answered =
      assay("explain nvlink-domain " + sample + "/application.json " + sample +
            "/system.json --datatype bfloat16 --max-batch 16 --processors 16 --domains 4,8 --model assay "
            "--coefficients gemm.fit");
  EXPECT_EQ(answered.exit_code, 0) << answered.text;
}

TEST_F(CalibratedSearch, VariesTheOptimumOverTheIntervalsOfFittedTimes) {
  fit();
  const json sensitivity =
      searched(sample + "/system.json", "--model assay --coefficients gemm.fit --coefficients 0=nvlink.fit")
          .at("sensitivity");
  const json& products = row_of(sensitivity, "gemm.fit: bf16 tflop_per_s");
  EXPECT_EQ(products["interval"], "fitted");
  EXPECT_LT(products["at_low"]["sample_rate"], products["at_high"]["sample_rate"]);
  EXPECT_EQ(row_of(sensitivity, "nvlink.fit: network 0 all_reduce among 8 gb_per_s")["interval"], "fitted");
}

TEST_F(CalibratedSearch, SaysWhichTimesTheRowsDoNotDetermine) {
  fit();
  const std::string files = sample + "/application.json " + sample + "/execution.json " + sample +
                            "/system.json --model assay --coefficients gemm.fit";
  const Said said = assay("predict " + files + " --json");
  const json warnings = json_in(said.text).at("warnings");
  ASSERT_FALSE(warnings.empty()) << said.text;
  EXPECT_THAT(warnings[0],
              HasSubstr("gemm.fit: products with weights, bf16: its rows do not determine gb_per_s"));
  EXPECT_THAT(said.text, HasSubstr("warning: " + warnings[0].get<std::string>() + "\n"));
  json line;
  for (const char* part : {"application", "execution", "system"})
    line[part] = core::json_from<json>(tests::text_of(sample + "/" + part + ".json"));
  folder_.file("lines.jsonl", line.dump() + "\n");
  EXPECT_EQ(
      json_in(assay("predict --batch lines.jsonl --model assay --coefficients gemm.fit").text).at("warnings"),
      warnings);
  EXPECT_THAT(assay("search " + sample + "/application.json 16 16 bfloat16 " + sample +
                    "/system.json --top 1 --model assay --coefficients gemm.fit")
                  .text,
              HasSubstr("warning: gemm.fit: products with weights, bf16: "));
  EXPECT_THAT(
      assay("explain blocks " + sample + "/application.json " + sample +
            "/system.json --datatype bfloat16 --max-batch 16 --processors 16 --blocks 48 --model assay "
            "--coefficients gemm.fit")
          .text,
      HasSubstr("warning: gemm.fit: products with weights, bf16: "));
}

}  // namespace
}  // namespace assay::cli
