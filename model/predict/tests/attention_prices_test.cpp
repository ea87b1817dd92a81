// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Attention's two batched products by their own groups of a fit, made here of a known formula.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/tests/message_of.hpp"
#include "harness/core/tests/temporary_folder.hpp"
#include "model/fit/coefficients/coefficients_file.hpp"
#include "model/predict/answer/measured_use.hpp"
#include "model/predict/measured/measured_products.hpp"
#include "model/predict/tests/sample_files.hpp"

namespace assay::model {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// Single products: 10 us and 200 TFLOP/s.
std::string single_rows(const char* dtype, const char* layout = "", double times = 1) {
  std::string text;
  for (const double m : {128, 1024, 4096})
    for (const double n : {128, 1024, 4096})
      for (const double k : {256, 2048})
        text += fmt::format("{},{},{},1,{},{},{:.6f}\n", m, n, k, dtype, layout,
                            times * (10 + 2 * m * n * k / 200e6));
  return text;
}

/// Scores: 5 us and 50 TFLOP/s; context: 7 us and 25 TFLOP/s.
double attention_us(bool scores, double flop) { return scores ? 5 + flop / 50e6 : 7 + flop / 25e6; }

std::string attention_rows(const std::string& product, const char* back_end = "cuda") {
  const bool scores = product == "scores";
  std::string text;
  for (int seq = 256; seq <= 4096; seq *= 2)
    for (const int batch : {4, 8, 16})
      text +=
          fmt::format("{},{},{},{},fp16,batched/{} {},{:.6f}\n", seq, scores ? seq : 128, scores ? 128 : seq,
                      batch, product, back_end, attention_us(scores, 2.0 * batch * seq * seq * 128));
  return text;
}

/// Four heads of 128 over 512 tokens.
json four_heads() {
  json application = sample_application();
  application.update(
      {{"hidden", 512}, {"feedforward", 512}, {"seq_size", 512}, {"attn_heads", 4}, {"attn_size", 128}});
  return application;
}

class AttentionPrices : public testing::Test {
 protected:
  Configuration with(const std::string& rows, bool fused = false) {
    const fit::CsvSource csv("rows", "m,n,k,batch,dtype,layout,time_us\n" + rows);
    const auto timed = fit::read_gemm_timings(csv);
    const std::string path = folder_.place("gemm.json");
    fit::write_coefficients(
        path, fit::section_of(fit::provenance_of(timed.table, timed.machine, timed.rows.size(), 1, "now"),
                              fit::SeenRows{}, fit::fit_gemm(timed, {.trees = {.trees = 5}})));
    json execution = sample_execution();
    execution["fused_attention"] = fused;
    return read_configuration(four_heads(), execution, sample_system(), {"APP", "EXE", "SYS"},
                              {.model = Model::assay, .coefficients = {{path, 0}}});
  }

 private:
  core::tests::TemporaryFolder folder_;
};

// Backward, scores have two products of the context's kind, and the context one of each kind.
TEST_F(AttentionPrices, AreThoseOfTheBatchedGroupsInEachPass) {
  const BlockCost tables = predict(with(single_rows("fp16"))).block;
  const Configuration measured =
      with(single_rows("fp16") + attention_rows("scores") + attention_rows("context"));
  const BlockCost groups = predict(measured).block;
  const double flop = 2.0 * 4 * 512 * 512 * 128;
  const double scores_s = 1e-6 * attention_us(true, flop), context_s = 1e-6 * attention_us(false, flop);
  // A table's product is its FLOPs at 1 TFLOP/s and its three matrices at 1 GB/s.
  const double memory_s = 2.0 * 4 * (512 * 512 + 2 * 512 * 128) * 1e-9;
  EXPECT_NEAR(tables.forward.seconds - groups.forward.seconds,
              2 * (flop * 1e-12 + memory_s) - scores_s - context_s, 0.05 * context_s);
  EXPECT_NEAR(tables.agrad.seconds - groups.agrad.seconds,
              2 * (2 * flop * 1e-12 + memory_s) - scores_s - 3 * context_s, 0.05 * context_s);
  EXPECT_EQ(tables.wgrad.seconds, groups.wgrad.seconds);
  EXPECT_THAT(warnings(measured), testing::Not(testing::Contains(HasSubstr("batch of"))));
}

TEST_F(AttentionPrices, AreSaidToBeMeasuredOrTheTables) {
  const auto said = [](const Configuration& configuration) {
    std::string text;
    for (const std::string& line : pricing(configuration)) text += line + "\n";
    return text;
  };
  const std::string both = single_rows("fp16") + attention_rows("scores") + attention_rows("context");
  EXPECT_THAT(said(with(both)),
              HasSubstr("; attention's products: fp16/batched/scores cuda, fp16/batched/context cuda\n"));
  EXPECT_THAT(said(with(both)), HasSubstr("\nvector operations: the system's tables\n"));
  const char* by_tables = "\nattention's products and vector operations: the system's tables\n";
  EXPECT_THAT(said(with(both, true)), HasSubstr(by_tables)) << "one kernel is neither of the two products";
  EXPECT_THAT(said(with(single_rows("fp16") + attention_rows("scores"))), HasSubstr(by_tables));
  EXPECT_THAT(said(with(single_rows("fp16"))), HasSubstr(by_tables));
}

TEST_F(AttentionPrices, StandBesideTheForwardLayoutOfAllPasses) {
  const std::string forward = single_rows("fp16", "cuda TN cold");
  const std::string others = single_rows("fp16", "cuda NN cold", 2) + single_rows("fp16", "cuda NT cold", 3);
  const Configuration all = with(forward + others);
  EXPECT_EQ(all.system.products->group, "fp16/cuda TN cold");
  EXPECT_EQ(all.system.matmul_s({512, 512, 512}), with(forward).system.matmul_s({512, 512, 512}));
  EXPECT_THAT(core::tests::message_of([&] { with(forward + single_rows("fp16", "cuda NN hot")); }),
              HasSubstr("in one layout, got fp16/cuda NN hot, fp16/cuda TN cold"));
}

TEST_F(AttentionPrices, OfAGpuGoBeforeThoseOfItsHost) {
  const Configuration both =
      with(single_rows("fp16", "cuda TN") + single_rows("fp16", "host TN", 5) + attention_rows("scores") +
           attention_rows("scores", "host") + attention_rows("context") + attention_rows("context", "host"));
  EXPECT_EQ(both.system.products->group, "fp16/cuda TN");
  EXPECT_THAT(pricing(both),
              testing::Contains(
                  HasSubstr("; attention's products: fp16/batched/scores cuda, fp16/batched/context cuda")));
}

TEST_F(AttentionPrices, OfTwoLayoutsOrWithoutSingleProductsAreRefused) {
  const auto complaint = [&](const std::string& rows) {
    return core::tests::message_of([&] { with(rows); });
  };
  EXPECT_THAT(
      complaint(single_rows("fp16") + attention_rows("scores") + attention_rows("scores", "cuda hot")),
      HasSubstr("expected one group of fp16/batched/scores, got fp16/batched/scores cuda and "
                "fp16/batched/scores cuda hot; assay fit takes --filter"));
  EXPECT_THAT(complaint(single_rows("bf16") + attention_rows("scores")),
              HasSubstr("expected coefficients of fp16 in one layout, got bf16, fp16/batched/scores cuda"));
}

}  // namespace
}  // namespace assay::model
