// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/read/unused_keys.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/predict/answer/batch_answers.hpp"
#include "model/predict/tests/sample_files.hpp"

namespace assay::model {
namespace {

std::string of_application(const std::string& text) {
  const JsonDocument document("", text);
  return unused_keys_of_application(document.root(), "app.json");
}
std::string of_system(const std::string& text) {
  const JsonDocument document("", text);
  return unused_keys_of_system(document.root(), "sys.json");
}

TEST(UnusedKeys, OfApplicationsAreNamedOnce) {
  EXPECT_EQ(of_application(R"({"name": "m", "hidden": 1, "num_blocks": 2})"), "");
  EXPECT_EQ(of_application(R"({"hidden": 1, "experts": 8, "kv_heads": 2})"),
            "app.json: not used: experts, kv_heads (--model assay uses them)");
  EXPECT_EQ(of_application(R"({"gated_mlp": true, "num_experts": 8, "ffn_type": "x"})"),
            "app.json: not used: gated_mlp (--model assay uses it); num_experts, ffn_type (not known)");
  EXPECT_EQ(of_application("[]"), "");
}

TEST(UnusedKeys, OfSystemsAreNamedWithTheirPlace) {
  EXPECT_EQ(of_system(R"({"about": "x", "mem1": {"GiB": 1}, "matrix": {"float16": {"tflops": 1}}})"), "");
  EXPECT_EQ(of_system(R"({"coefficients": "f", "mem1": {"GiBs": 1}, "mem2": 3, "cores": 2,
                          "matrix": {"fp8": {}, "float16": {"peak": 1}}})"),
            "sys.json: not used: coefficients (--model assay uses it); cores, mem1.GiBs, matrix.fp8, "
            "matrix.float16.peak (not known)");
}

TEST(UnusedKeys, OfABatchAreThoseOfItsFirstLineWithSuch) {
  auto application = sample_application(), execution = sample_execution(), system = sample_system();
  application["experts"] = 8;
  BatchAnswers batch("b.jsonl", {});
  std::string answers;
  for (int line = 0; line < 2; ++line)
    batch.answer(
        nlohmann::json{{"application", application}, {"execution", execution}, {"system", system}}.dump(),
        answers);
  EXPECT_EQ(batch.rejected(), 0) << batch.first_message();
  EXPECT_EQ(batch.not_used()[0], "b.jsonl:1: application: not used: experts (--model assay uses it)");
  EXPECT_EQ(batch.not_used()[1], "");
}

}  // namespace
}  // namespace assay::model
