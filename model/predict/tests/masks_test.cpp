// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Masks of attention and dropout, which only assay's model knows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>

#include "harness/core/tests/message_of.hpp"
#include "model/predict/layers/seen_keys.hpp"
#include "model/predict/tests/sample_files.hpp"

namespace assay::model {
namespace {

using core::tests::message_of;
using nlohmann::json;
using testing::HasSubstr;

Application masked(const json& changes, Model model = Model::assay) {
  json application = sample_application();
  application.update({{"seq_size", 1024}});
  application.update(changes);
  return read_application(application, "APP", model);
}

BlockCost cost(const json& application_changes, const json& execution_changes = {{"fused_attention", true}}) {
  json application = sample_application(), execution = sample_execution();
  application.update({{"seq_size", 1024}});
  application.update(application_changes);
  execution.update(execution_changes);
  return predict(read_configuration(application, execution, sample_system(), {"APP", "EXE", "SYS"},
                                    {.model = Model::assay}))
      .block;
}

/// Pairs counted one by one.
double counted_keys(const Application& a) {
  double pairs = 0;
  std::vector<std::int64_t> lengths = a.packed_lengths;
  if (lengths.empty()) lengths = {a.seq_size};
  for (const std::int64_t length : lengths) {
    for (std::int64_t q = 0; q < length; ++q)
      for (std::int64_t k = 0; k < length; ++k) {
        const bool seen = (!a.causal || k <= q) && (a.window == 0 || std::abs(q - k) < a.window) &&
                          (a.attention_chunk == 0 || q / a.attention_chunk == k / a.attention_chunk);
        pairs += seen ? 1 : 0;
      }
  }
  return pairs / static_cast<double>(a.seq_size);
}

TEST(Masks, LeaveThePairsThatCountingFinds) {
  for (const bool causal : {true, false})
    for (const json& change :
         {json::object(), json{{"window", 100}}, json{{"window", 5000}}, json{{"attention_chunk", 300}},
          json{{"packed_lengths", {100, 700, 224}}}, json{{"packed_lengths", {500, 12}}, {"window", 30}},
          json{{"packed_lengths", {700, 300}}, {"attention_chunk", 256}, {"window", 200}}}) {
      json changes = change;
      changes["causal"] = causal;
      const Application a = masked(changes);
      EXPECT_NEAR(seen_keys(a), counted_keys(a), 1e-9) << changes.dump();
    }
}

// The diagonal's tiles hold 127 / 2 keys a query that are masked.
TEST(Masks, OfAFusedKernelAreWholeTiles) {
  EXPECT_DOUBLE_EQ(tiled_keys(masked({{"causal", false}})), 1024);
  EXPECT_DOUBLE_EQ(tiled_keys(masked(json::object())), 512.5 + 63.5);
  EXPECT_DOUBLE_EQ(tiled_keys(masked({{"window", 256}})), seen_keys(masked({{"window", 256}})) + 127);
  EXPECT_DOUBLE_EQ(tiled_keys(masked({{"window", 1024}})), 512.5 + 63.5);
}

// Two heads of 2: both products of 4 FLOP and the softmax's 5 are over 576 keys instead of 1,024.
TEST(Masks, MakeAFusedKernelDoLess) {
  const BlockCost all = cost({{"causal", false}}), causal = cost({{"causal", true}});
  EXPECT_DOUBLE_EQ(all.forward.flops - causal.forward.flops, 2. * 1024 * (1024 - 576) * (2 * 2 * 2 + 5));
  EXPECT_LT(causal.agrad.flops, all.agrad.flops);
  EXPECT_LT(causal.recompute.flops, all.recompute.flops);
  EXPECT_LT(cost({{"window", 128}}).forward.flops, causal.forward.flops);
  EXPECT_DOUBLE_EQ(causal.stored_bytes, all.stored_bytes);
}

// Separate kernels fill the whole square.
TEST(Masks, DoNotHelpSeparateKernels) {
  const json separate = {{"fused_attention", false}};
  EXPECT_DOUBLE_EQ(cost({{"causal", false}}, separate).forward.flops,
                   cost({{"causal", true}}, separate).forward.flops);
}

TEST(Masks, AreNotCalculons) {
  EXPECT_DOUBLE_EQ(tiled_keys(masked({{"window", 8}, {"causal", true}}, Model::calculon)), 1024);
}

TEST(Masks, OfDocumentsThatDoNotFitAreRefused) {
  EXPECT_THAT(message_of([] { masked({{"packed_lengths", {1000, 25}}}); }),
              HasSubstr("packed_lengths: expected lengths of at most seq_size together"));
  EXPECT_THAT(message_of([] {  // their sum is below 0 in 64 bits
                masked({{"packed_lengths", {INT64_MAX, INT64_MAX}}});
              }),
              HasSubstr("packed_lengths: expected lengths of at most seq_size together"));
  EXPECT_THAT(message_of([] { masked({{"packed_lengths", {0}}}); }),
              HasSubstr("packed_lengths: expected a list of whole numbers"));
}

// 2 x 1024 x 4 elements in two places, and 2 heads of 1024 x 1024 scores: a byte each of mask.
TEST(Dropout, KeepsItsMasks) {
  const json separate = {{"fused_attention", false}};
  const BlockCost with = cost({{"dropout", true}}, separate), without = cost({{"dropout", false}}, separate);
  const double elements = 2. * 1024 * 4 / 2;
  EXPECT_DOUBLE_EQ(with.stored_bytes - without.stored_bytes, 2 * elements + 2. * 1024 * 1024);
  EXPECT_DOUBLE_EQ(with.forward.flops - without.forward.flops, 2 * elements + 2. * 1024 * 1024);
}

TEST(Dropout, IsUsualOnlyWhereCalculonsKeysSayAll) {
  EXPECT_TRUE(masked(json::object()).dropout);
  EXPECT_TRUE(masked({{"name", "gpt"}}).dropout);
  EXPECT_FALSE(masked({{"vocabulary", 10}}).dropout);
  EXPECT_TRUE(masked({{"vocabulary", 10}, {"dropout", true}}).dropout);
  EXPECT_TRUE(masked({{"vocabulary", 10}}, Model::calculon).dropout);
}

}  // namespace
}  // namespace assay::model
