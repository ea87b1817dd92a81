// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Some thousand malformed files of each kind: each is used, or refused in one bounded, printable line that
// opens with the file's name. What they do to a batch stays on their line.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "harness/core/error.hpp"
#include "harness/core/printable.hpp"
#include "harness/core/text/json_from.hpp"
#include "model/fit/coefficients/coefficients_file.hpp"
#include "model/predict/answer/batch_answers.hpp"
#include "model/predict/tests/malformed_text.hpp"
#include "model/predict/tests/sample_files.hpp"

namespace assay::model {
namespace {

using nlohmann::json;
using tests::malformed;
using tests::MalformedText;

constexpr std::size_t of_each_kind = 700;

struct Outcomes {
  std::size_t used = 0, refused = 0;
};

/// Whatever `use` throws is a usage Error with one line that opens with `opening`.
template <class Use>
void try_out(const MalformedText& input, const std::string& opening, Outcomes& outcomes, const Use& use) {
  try {
    use();
    ++outcomes.used;
  } catch (const core::Error& error) {
    ++outcomes.refused;
    const std::string message = error.what();
    EXPECT_EQ(error.kind(), core::ErrorKind::usage) << input.how;
    EXPECT_TRUE(message.starts_with(opening)) << input.how << ": " << message.substr(0, 500);
    EXPECT_LE(message.size(), 2'000U) << input.how;
    EXPECT_EQ(core::printable(message, 4'000), message) << input.how;
  }
}

class MalformedFiles : public testing::TestWithParam<Model> {};

TEST_P(MalformedFiles, OfAStepAreUsedOrRefusedInOneLine) {
  const Model model = GetParam();
  const ReadOptions options{.model = model};
  const std::array files = {sample_application().dump(), sample_execution().dump(), sample_system().dump(1)};
  const std::array<std::string, 3> names = {"application.json", "execution.json", "system.json"};
  for (std::size_t wrong = 0; wrong < files.size(); ++wrong) {
    Outcomes outcomes;
    for (const MalformedText& input : malformed(files[wrong], of_each_kind, 11 + wrong))
      try_out(input, names[wrong] + ": ", outcomes, [&] {
        const auto read = [&](std::size_t which) {
          return JsonDocument(names[which] + ": ", which == wrong ? input.text : files[which]);
        };
        // Alone first: a number that is valid here may not fit the other files, of which another is named.
        const JsonDocument alone = read(wrong);
        if (wrong == 0) read_application(alone.root(), model);
        if (wrong == 1) read_execution(alone.root(), model);
        if (wrong == 2) read_system(alone.root(), model);
        const JsonDocument application = read(0), execution = read(1), system = read(2);
        try {
          predict(read_configuration(application.root(), execution.root(), system.root(), options));
        } catch (const core::Error& error) {
          EXPECT_EQ(error.kind(), core::ErrorKind::usage) << input.how;
          EXPECT_TRUE(std::string(error.what()).starts_with("execution.json: ")) << error.what();
        }
      });
    EXPECT_GT(outcomes.refused, of_each_kind / 2) << names[wrong];
    EXPECT_GT(outcomes.used, 0U) << names[wrong];
  }
}

INSTANTIATE_TEST_SUITE_P(Models, MalformedFiles, testing::Values(Model::calculon, Model::assay),
                         [](const auto& model) {
                           return std::string(model.param == Model::assay ? "assay" : "calculon");
                         });

/// The start of each kind of file that assay fit writes, with models that are made up.
std::string coefficients(const std::string& kind, const std::string& models) {
  return R"({"schema": "assay-coefficients", "schema_version": 1, "kind": ")" + kind +
         R"(", "provenance": {"source_file": "t.csv", "source_sha256": "00", "origin": "measured",
              "machine": "m", "rows": 3, "split_seed": 1, "fitted_at": "now", "fitted_by": "assay"},
            "seen_rows": [1, 2, 4294967295], "models": )" +
         models + "}";
}

constexpr const char* segments =
    R"([{"from_bytes": 1, "to_bytes": 1e6, "rows": 4, "latency_us": 1.5, "us_per_byte": 1e-5,
         "latency": {"value": 1.5, "lower": 1, "upper": 2, "supported": true},
         "gb_per_s": {"value": 100, "lower": 90, "upper": 110, "supported": false}}])";

TEST(MalformedCoefficients, AreUsedOrRefusedInOneLine) {
  const std::string path = testing::TempDir() + "assay_malformed_coefficients.json";
  const std::array<std::pair<std::string, void (*)(const std::string&)>, 3> kinds = {
      {{coefficients("memory", R"({"copy, L2": )" + std::string(segments) + "}"),
        [](const std::string& file) { fit::read_size_coefficients(file); }},
       {coefficients("loggp", R"({"write": {"L_plus_2o_us": {"value": 2}, "g_us": {"value": 0.2},
                                             "gb_per_s": {"value": 49}}})"),
        [](const std::string& file) { fit::read_loggp_coefficients(file); }},
       {coefficients("collectives",
                     R"({"m/x,all_reduce,8,ring": {"surface": "s", "curves": {"float16": {"line": )" +
                         std::string(segments).substr(1, std::string(segments).size() - 2) +
                         R"(, "segments": )" + segments +
                         R"(}}}}, "surfaces": {"s": {"common": 1,
                                        "family": 1, "dtype": 1, "length": 1, "noise": 0.1,
                                        "anchors": [["m/x,all_reduce,8,ring", "float16", 10, 0.5]]}})"),
        [](const std::string& file) { fit::read_collective_coefficients(file); }}}};
  for (const auto& [good, read] : kinds) {
    std::ofstream(path) << good;
    EXPECT_NO_THROW(read(path));
    Outcomes outcomes;
    for (const MalformedText& input : malformed(good, of_each_kind / 4, 17)) {
      std::ofstream(path, std::ios::binary) << input.text;
      try_out(input, path + ": ", outcomes, [&] { read(path); });
    }
    EXPECT_GT(outcomes.refused, of_each_kind / 8);
  }
}

TEST(MalformedLines, AreAnsweredInTheirPlaceAndLeaveTheOthersAlone) {
  const json good = {
      {"application", sample_application()}, {"execution", sample_execution()}, {"system", sample_system()}};
  BatchAnswers batch("batch.jsonl", {});
  std::string wanted;
  batch.answer(good.dump(), wanted);
  for (const MalformedText& input : malformed(good.dump(), 3 * of_each_kind, 23)) {
    std::string answers;
    batch.answer(input.text, answers);
    ASSERT_TRUE(answers.ends_with('\n')) << input.how;
    EXPECT_EQ(answers.find('\n'), answers.size() - 1) << input.how;
    const json answer = core::json_from<json>(answers);
    if (answer.at("status") == "rejected") {
      const std::string message = answer.at("message");
      EXPECT_TRUE(message.starts_with("batch.jsonl:" + std::to_string(batch.lines()) + ": ")) << message;
      EXPECT_LE(message.size(), 2'000U);
    }
    answers.clear();
    batch.answer(good.dump(), answers);
    ASSERT_EQ(answers, wanted) << input.how;
  }
  EXPECT_GT(batch.rejected(), static_cast<std::int64_t>(of_each_kind));
}

}  // namespace
}  // namespace assay::model
