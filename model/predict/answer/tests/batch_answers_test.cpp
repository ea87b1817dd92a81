// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/answer/batch_answers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/text/json_from.hpp"
#include "model/predict/tests/sample_files.hpp"

namespace assay::model {
namespace {

using nlohmann::json;

json line() {
  return {
      {"application", sample_application()}, {"execution", sample_execution()}, {"system", sample_system()}};
}

/// The answer to one line.
json answer_to(const std::string& text, const ReadOptions& options = {}) {
  BatchAnswers batch("b.jsonl", options);
  std::string answers;
  batch.answer(text, answers);
  return core::json_from<json>(answers);
}

TEST(BatchAnswers, AreThePredictionOfTheThreeFiles) {
  const Configuration alone = read_sample(sample_application(), sample_execution(), sample_system());
  EXPECT_EQ(answer_to(line().dump()), to_json(alone, predict(alone)));
  EXPECT_EQ(answer_to(line().dump(2) + "\r"), to_json(alone, predict(alone)));
  json small = line();
  small["system"]["mem1"]["GiB"] = 1e-9;
  EXPECT_EQ(answer_to(small.dump()).at("status"), "infeasible");
  const json assay = answer_to(line().dump(), {.model = Model::assay});
  EXPECT_EQ(assay.at("model"), "assay");
  EXPECT_EQ(assay.at("stats").size(), 101U);
}

/// Lines in every order of two of each part, of wrong ones, and of one that is cut off inside a part.
TEST(BatchAnswers, AreTheSameWhateverTheLineBeforeWas) {
  for (const Model model : {Model::calculon, Model::assay}) {
    std::vector<std::string> lines;
    for (int which = 0; which < 16; ++which) {
      json varied = line();
      if ((which & 1) != 0) varied["application"]["hidden"] = 16;
      if ((which & 2) != 0) varied["system"]["mem1"]["GBps"] = 2;
      if ((which & 4) != 0) varied["execution"]["datatype"] = "float8";
      if ((which & 4) != 0) varied["system"]["matrix"]["float8"] = varied["system"]["matrix"]["float16"];
      if ((which & 4) != 0) varied["system"]["vector"]["float8"] = varied["system"]["vector"]["float16"];
      if ((which & 8) != 0) varied["application"]["seq_size"] = 0;
      lines.push_back(varied.dump());
    }
    json both = core::json_from<json>(lines[4]);
    both["execution"]["datatype"] = "float16";
    lines.push_back(both.dump());
    lines.push_back(lines[0].substr(0, lines[0].size() - 5));
    lines.push_back(lines[0].substr(0, lines[0].size() - 1) + ",\"system\":{}}");
    BatchAnswers batch("b.jsonl", {.model = model});
    for (const std::string& first : lines)
      for (const std::string& second : lines) {
        std::string answers;
        batch.answer(first, answers);
        answers.clear();
        batch.answer(second, answers);
        json alone = answer_to(second, {.model = model}), found = core::json_from<json>(answers);
        if (alone.contains("message")) alone.erase("message"), found.erase("message");
        ASSERT_EQ(found, alone) << first << "\n" << second;
      }
  }
}

TEST(BatchAnswers, NameTheLineThePartAndTheKeyOfWhatCannotBeUsed) {
  const auto says = [](const json& of) { return answer_to(of.dump()).at("message").get<std::string>(); };
  json wrong = line();
  wrong["application"]["hidden"] = "many";
  EXPECT_EQ(says(wrong),
            "b.jsonl:1: application.hidden: expected a whole number from 1 to 1000000000, got \"many\"");
  wrong = line();
  wrong["execution"]["batch_size"] = 3, wrong["execution"]["microbatch_size"] = 2;
  EXPECT_EQ(says(wrong),
            "b.jsonl:1: execution.microbatch_size: expected a divisor of batch_size / data_par = 3, got 2");
  wrong = line();
  wrong["system"]["networks"][1]["size"] = 0;
  EXPECT_EQ(says(wrong),
            "b.jsonl:1: system.networks[1].size: expected a whole number from 1 to 1000000000, got 0");
  wrong.erase("system");
  EXPECT_EQ(says(wrong), "b.jsonl:1: expected an object with application, execution and system");
  EXPECT_EQ(says(3), "b.jsonl:1: expected an object with application, execution and system");
}

TEST(BatchAnswers, GoOnBehindWhateverALineHolds) {
  BatchAnswers batch("b.jsonl", {});
  std::string answers, wanted;
  batch.answer(line().dump(), wanted);
  for (const std::string& odd :
       {std::string("\xff\xfe"), std::string("\0", 1), std::string("{\"a\": \"\xc3\"}"),
        std::string(1'000'000, '['), std::string()})
    batch.answer(odd, answers);
  batch.reject("is longer than 16 MiB", answers);
  batch.answer(line().dump(), answers);
  EXPECT_EQ(batch.lines(), 8);
  EXPECT_EQ(batch.rejected(), 6);
  EXPECT_EQ(batch.first_message(), "b.jsonl:2: not JSON: line 1, column 1: expected a value, got '\\xff'");
  EXPECT_TRUE(answers.ends_with(
      "{\"message\":\"b.jsonl:7: is longer than 16 MiB\",\"status\":\"rejected\"}\n" + wanted));
}

TEST(BatchAnswers, ShowABoundedPrintablePartOfWhatTheLineHolds) {
  json wrong = line();
  wrong["execution"]["datatype"] = std::string(1'000'000, '\x1b');
  const std::string message = answer_to(wrong.dump()).at("message");
  EXPECT_LT(message.size(), 300U);
  EXPECT_EQ(message.find('\x1b'), std::string::npos);
  EXPECT_TRUE(message.starts_with("b.jsonl:1: execution.datatype: expected one of float8, ")) << message;
}

}  // namespace
}  // namespace assay::model
