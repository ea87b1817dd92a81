// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/explain/model_family.hpp"

#include <gtest/gtest.h>

#include "model/json/read_json.hpp"
#include "model/predict/read/read.hpp"
#include "model/search/tests/published.hpp"

namespace assay::model {
namespace {

Application example(const std::string& name) {
  const std::string path = std::string(ASSAY_SOURCE_DIR) + "/model/examples/" + name;
  return read_application(read_json(path), path);
}

TEST(ParameterCount, IsTheOriginals) {
  EXPECT_NEAR(parameter_count(gpt_175b()) * 1e-9, 174.616, 0.0005);
  EXPECT_NEAR(parameter_count(megatron_1t()) * 1e-12, 1.008, 0.0005);
  EXPECT_NEAR(parameter_count(example("gpt3_175b.json")) * 1e-9, 174.616, 0.0005);
  EXPECT_NEAR(parameter_count(example("megatron_1t.json")) * 1e-12, 1.008, 0.0005);
  EXPECT_NEAR(parameter_count(example("turing_530b.json")) * 1e-9, 529.601, 0.0005);
  EXPECT_NEAR(parameter_count(example("megatron_22b.json")) * 1e-9, 22.074, 0.0005);
}

// Llama 3 70B and Mixtral 8x7B, whose authors count 70.6 and 46.7 billion: ours have biases too.
TEST(ParameterCount, OfAnApplicationWithAVocabularyIsItsOwn) {
  const std::string path = std::string(ASSAY_SOURCE_DIR) + "/model/examples/llama3-70b.json";
  EXPECT_NEAR(parameter_count(read_application(read_json(path), path, Model::assay)) * 1e-9, 70.56, 0.01);
  const Application mixtral{.hidden = 4096,
                            .feedforward = 14336,
                            .seq_size = 4096,
                            .attn_heads = 32,
                            .attn_size = 128,
                            .num_blocks = 32,
                            .kv_heads = 8,
                            .gated_mlp = true,
                            .vocabulary = 32000,
                            .experts = 8,
                            .experts_per_token = 2};
  EXPECT_NEAR(parameter_count(mixtral) * 1e-9, 46.71, 0.01);
}

struct Row {
  const char* name;
  std::int64_t blocks, hidden;
  double parameters_t;
};

TEST(TrillionModels, AreThoseOfThePublishedTable) {
  const std::vector<Row> table = {
      {"1T", 128, 24576, 0.93},    {"2T", 160, 32768, 2.02},    {"4T", 192, 40960, 3.93},
      {"7T", 224, 50176, 6.77},    {"11T", 256, 60416, 11.02},  {"18T", 288, 70656, 17.50},
      {"26T", 320, 81920, 25.77},  {"37T", 352, 94208, 36.95},  {"53T", 384, 106496, 52.93},
      {"72T", 416, 119808, 71.65}, {"96T", 448, 134144, 95.51}, {"128T", 480, 148480, 128.45}};
  const std::vector<NamedApplication> models = trillion_models();
  ASSERT_EQ(models.size(), table.size());
  for (std::size_t i = 0; i < table.size(); ++i) {
    EXPECT_EQ(models[i].name, table[i].name);
    EXPECT_EQ(models[i].application.num_blocks, table[i].blocks);
    EXPECT_EQ(models[i].application.attn_heads, table[i].blocks);
    EXPECT_EQ(models[i].application.hidden, table[i].hidden);
    EXPECT_EQ(models[i].application.feedforward, 4 * table[i].hidden);
    EXPECT_EQ(models[i].application.attn_size % 32, 0);
    EXPECT_EQ(models[i].application.seq_size, 8192);
    EXPECT_NEAR(parameter_count(models[i].application) * 1e-12 / table[i].parameters_t, 1, 0.002)
        << table[i].name;
  }
}

}  // namespace
}  // namespace assay::model
