// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Fits of batched products: a roofline over all products of a call, in groups of their own.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "model/fit/coefficients/fit_json.hpp"
#include "model/fit/laws/gemm_fit.hpp"

namespace assay::model::fit {
namespace {

/// 5 us, then the longer of 100 TFLOP/s and 1000 GB/s over the whole batch.
double made_us(double batch, double m, double n, double k) {
  return 5 + batch * std::max(2 * m * n * k / 100e6, 2 * (m * n + m * k + n * k) / 1e6);
}

/// Six sequence lengths in four batches and two sizes of heads: 48 shapes.
std::string batched_rows(const std::string& layout) {
  std::string text;
  for (int seq = 128; seq <= 4096; seq *= 2)
    for (int batch = 4; batch <= 32; batch *= 2)
      for (const int head : {64, 128})
        text += fmt::format("{},{},{},{},bf16,{},{:.9g}\n", seq, seq, head, batch, layout,
                            made_us(batch, seq, seq, head));
  return text;
}

/// A dozen single products, ten times as slow.
std::string single_rows() {
  std::string text;
  for (const int m : {128, 1024, 8192})
    for (const int n : {512, 2048})
      for (const int k : {1024, 4096})
        text += fmt::format("{},{},{},1,bf16,TN,{:.9g}\n", m, n, k, 10 * made_us(1, m, n, k));
  return text;
}

GemmFits fitted(const std::string& rows) {
  return fit_gemm(read_gemm_timings({"made", "m,n,k,batch,dtype,layout,time_us\n" + rows}),
                  {.trees = {.trees = 5}});
}

TEST(BatchedFit, GivesBackTheRooflineOfAllProductsOfACall) {
  const GemmFits fits = fitted(batched_rows("batched/scores"));
  const GemmFit& fit = fits.groups.at("bf16/batched/scores");
  EXPECT_EQ(fit.shapes, 48U) << "the same sizes in another batch are another shape";
  EXPECT_EQ(fit.model.formula, GemmFormula::roofline);
  EXPECT_TRUE(fit.model.surface.trees().empty()) << "its features know no batch";
  for (const double batch : {6.0, 64.0})
    EXPECT_NEAR(fit.model.time_us({512, 512, 128, batch}) / made_us(batch, 512, 512, 128), 1, 0.01) << batch;
  EXPECT_LT(fit.held_out.rows.whole().mape_percent, 1);
}

TEST(BatchedFit, NeverMixesWithSingleProducts) {
  const GemmFits both = fitted(single_rows() + batched_rows("TN"));
  ASSERT_EQ(both.groups.size(), 2U);
  const auto alone = fitted(single_rows()).groups.at("bf16/TN").model.time_us({256, 256, 256});
  EXPECT_EQ(both.groups.at("bf16/TN").model.time_us({256, 256, 256}), alone);
  EXPECT_EQ(both.groups.count("bf16/batched/TN"), 1U);
}

TEST(BatchedFit, RecordsWhichBatchesWereMeasured) {
  const GemmFits fits = fitted(single_rows() + batched_rows("batched/scores"));
  const Json measured = json_of(fits.groups.at("bf16/batched/scores"))["measured"];
  EXPECT_EQ(measured["batch"], Json({4.0, 32.0}));
  EXPECT_FALSE(json_of(fits.groups.at("bf16/TN"))["measured"].contains("batch"));
}

}  // namespace
}  // namespace assay::model::fit
