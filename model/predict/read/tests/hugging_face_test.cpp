// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Configurations in the form of Hugging Face's config.json, of the keys that decide a family's shape with
// their published values; the counts are the published numbers of parameters.
#include "model/predict/read/hugging_face.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/tests/message_of.hpp"
#include "harness/core/text/json_from.hpp"
#include "model/predict/answer/prediction.hpp"
#include "model/predict/system/weight_count.hpp"
#include "model/predict/tests/sample_files.hpp"

namespace assay::model {
namespace {

using core::tests::message_of;
using nlohmann::json;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

HuggingFaceModel read_config(const json& config, std::int64_t tokens = 4096) {
  return read_hugging_face(JsonDocument("config.json: ", config).root(), tokens);
}

struct Published {
  const char* name;
  const char* config;
  double weights;      // billions
  double a_token = 0;  // billions; 0: not compared
  double within = 0.001;
  const char* source;
};
void PrintTo(const Published& one, std::ostream* out) { *out << one.name; }

class PublishedModels : public testing::TestWithParam<Published> {};

TEST_P(PublishedModels, HaveAsManyWeightsAsTheirAuthorsSay) {
  const HuggingFaceModel model = read_config(core::json_from<json>(GetParam().config));
  const WeightCount weights = weight_count(model.application);
  EXPECT_NEAR(weights.all * 1e-9 / GetParam().weights, 1, GetParam().within) << GetParam().source;
  if (GetParam().a_token > 0) {
    EXPECT_NEAR(weights.a_token * 1e-9 / GetParam().a_token, 1, 0.02);
  }
  std::int64_t blocks = 0;
  for (const Application& kind : kinds_of(model.application)) blocks += kind.num_blocks;
  EXPECT_EQ(blocks, model.application.num_blocks);
}

constexpr const char* deepseek = R"({"model_type": "deepseek_v3", "vocab_size": 129280, "hidden_size": 7168,
  "intermediate_size": 18432, "moe_intermediate_size": 2048, "num_hidden_layers": 61,
  "num_nextn_predict_layers": 1, "num_attention_heads": 128, "num_key_value_heads": 128, "n_shared_experts": 1,
  "n_routed_experts": 256, "num_experts_per_tok": 8, "first_k_dense_replace": 3, "moe_layer_freq": 1,
  "kv_lora_rank": 512, "q_lora_rank": 1536, "qk_rope_head_dim": 64, "v_head_dim": 128, "qk_nope_head_dim": 128,
  "tie_word_embeddings": false})";

const Published published_models[] = {
    Published{"llama3_8b", R"({"model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336,
            "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 8, "vocab_size": 128256,
            "tie_word_embeddings": false})",
              8.030261248, 0, 1e-9, "safetensors index of meta-llama/Llama-3.1-8B"},
    Published{"llama3_405b", R"({"model_type": "llama", "hidden_size": 16384, "intermediate_size": 53248,
            "num_attention_heads": 128, "num_hidden_layers": 126, "num_key_value_heads": 8,
            "vocab_size": 128256})",
              405.8533888, 0, 1e-4, "safetensors index of meta-llama/Llama-3.1-405B"},
    Published{"mixtral_8x7b", R"({"model_type": "mixtral", "hidden_size": 4096, "intermediate_size": 14336,
            "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 8, "vocab_size": 32000,
            "num_local_experts": 8, "num_experts_per_tok": 2, "sliding_window": null})",
              46.702792704, 12.9, 1e-9,
              "safetensors index of mistralai/Mixtral-8x7B-v0.1; arXiv 2401.04088: 13B a token"},
    Published{"qwen3_8b", R"({"model_type": "qwen3", "hidden_size": 4096, "intermediate_size": 12288,
            "num_attention_heads": 32, "head_dim": 128, "num_hidden_layers": 36, "num_key_value_heads": 8,
            "vocab_size": 151936, "tie_word_embeddings": false, "use_sliding_window": false,
            "sliding_window": null})",
              8.190735360, 0, 1e-9, "safetensors index of Qwen/Qwen3-8B"},
    Published{"qwen3_30b_a3b", R"({"model_type": "qwen3_moe", "hidden_size": 2048, "intermediate_size": 6144,
            "moe_intermediate_size": 768, "num_attention_heads": 32, "head_dim": 128, "num_hidden_layers": 48,
            "num_key_value_heads": 4, "vocab_size": 151936, "num_experts": 128, "num_experts_per_tok": 8,
            "decoder_sparse_step": 1, "mlp_only_layers": []})",
              30.532122624, 3.3, 1e-6,
              "safetensors index of Qwen/Qwen3-30B-A3B; its card: 30.5B, 3.3B activated"},
    Published{"qwen3_235b_a22b",
              R"({"model_type": "qwen3_moe", "hidden_size": 4096, "intermediate_size": 12288,
            "moe_intermediate_size": 1536, "num_attention_heads": 64, "head_dim": 128, "num_hidden_layers": 94,
            "num_key_value_heads": 4, "vocab_size": 151936, "num_experts": 128, "num_experts_per_tok": 8,
            "decoder_sparse_step": 1, "mlp_only_layers": []})",
              235.093634560, 22, 1e-6, "safetensors index of Qwen/Qwen3-235B-A22B"},
    Published{"deepseek_v3", deepseek, 671, 37, 0.001, "arXiv 2412.19437: 671B, 37B activated"},
    Published{"kimi_k2", R"({"model_type": "kimi_k2", "vocab_size": 163840, "hidden_size": 7168,
            "intermediate_size": 18432, "moe_intermediate_size": 2048, "num_hidden_layers": 61,
            "num_attention_heads": 64, "num_key_value_heads": 64, "n_shared_experts": 1, "n_routed_experts": 384,
            "num_experts_per_tok": 8, "first_k_dense_replace": 1, "moe_layer_freq": 1, "kv_lora_rank": 512,
            "q_lora_rank": 1536, "qk_rope_head_dim": 64, "v_head_dim": 128, "qk_nope_head_dim": 128})",
              1026.4, 32.6, 0.001,
              "safetensors of moonshotai/Kimi-K2-Instruct: 1,026B; arXiv 2507.20534: 1.04T, 32.6B"},
    Published{"gpt_oss_120b", R"({"model_type": "gpt_oss", "hidden_size": 2880, "intermediate_size": 2880,
            "num_attention_heads": 64, "head_dim": 64, "num_hidden_layers": 36, "num_key_value_heads": 8,
            "vocab_size": 201088, "num_local_experts": 128, "num_experts_per_tok": 4, "sliding_window": 128,
            "tie_word_embeddings": false})",
              116.83, 0, 0.001, "gpt-oss model card, table 1: 116.83B"},
    Published{"gpt_oss_20b", R"({"model_type": "gpt_oss", "hidden_size": 2880, "intermediate_size": 2880,
            "num_attention_heads": 64, "head_dim": 64, "num_hidden_layers": 24, "num_key_value_heads": 8,
            "vocab_size": 201088, "num_local_experts": 32, "num_experts_per_tok": 4, "sliding_window": 128,
            "tie_word_embeddings": false})",
              20.91, 0, 0.001, "gpt-oss model card, table 1: 20.91B"},
    Published{"gemma3_1b", R"({"model_type": "gemma3_text", "hidden_size": 1152, "intermediate_size": 6912,
            "num_attention_heads": 4, "head_dim": 256, "num_hidden_layers": 26, "num_key_value_heads": 1,
            "vocab_size": 262144, "sliding_window": 512, "sliding_window_pattern": 6})",
              0.999885952, 0, 1e-9, "safetensors index of google/gemma-3-1b-pt"},
    Published{"gemma3_27b", R"({"model_type": "gemma3", "text_config": {"model_type": "gemma3_text",
            "hidden_size": 5376, "intermediate_size": 21504, "num_attention_heads": 32, "head_dim": 128,
            "num_hidden_layers": 62, "num_key_value_heads": 16, "sliding_window": 1024}})",
              27.016, 0, 0.001,
              "arXiv 2503.19786, table 1: 1,416M of embedding and 25,600M, besides the vision encoder"},
    Published{"llama4_scout", R"({"model_type": "llama4", "text_config": {"model_type": "llama4_text",
            "hidden_size": 5120, "intermediate_size": 8192, "intermediate_size_mlp": 16384,
            "num_attention_heads": 40, "head_dim": 128, "num_hidden_layers": 48, "num_key_value_heads": 8,
            "vocab_size": 202048, "num_local_experts": 16, "num_experts_per_tok": 1, "interleave_moe_layer_step": 1,
            "attention_chunk_size": 8192, "use_qk_norm": true}})",
              108.641793536 - 0.871, 17, 0.001,
              "safetensors index of meta-llama/Llama-4-Scout-17B-16E, less 0.871B of its vision part"},
    Published{"llama4_maverick", R"({"model_type": "llama4", "text_config": {"model_type": "llama4_text",
            "hidden_size": 5120, "intermediate_size": 8192, "intermediate_size_mlp": 16384,
            "num_attention_heads": 40, "head_dim": 128, "num_hidden_layers": 48, "num_key_value_heads": 8,
            "vocab_size": 202048, "num_local_experts": 128, "num_experts_per_tok": 1,
            "interleave_moe_layer_step": 2, "attention_chunk_size": 8192}})",
              401.583781376 - 0.871, 17, 0.001,
              "safetensors index of meta-llama/Llama-4-Maverick-17B-128E, less 0.871B of its vision part"},
    Published{"glm_4_5_air", R"({"model_type": "glm4_moe", "hidden_size": 4096, "intermediate_size": 10944,
            "moe_intermediate_size": 1408, "num_attention_heads": 96, "head_dim": 128, "num_hidden_layers": 46,
            "num_key_value_heads": 8, "vocab_size": 151552, "n_routed_experts": 128, "n_shared_experts": 1,
            "num_experts_per_tok": 8, "first_k_dense_replace": 1, "use_qk_norm": false})",
              110.468824832 - 2.38 - 1.2415, 0, 0.001,
              "safetensors index of zai-org/GLM-4.5-Air, less the block that predicts further, with its own "
              "copies of embedding and head"},
    Published{"glm_5", R"({"model_type": "glm_moe_dsa", "vocab_size": 154880, "hidden_size": 6144,
            "intermediate_size": 12288, "moe_intermediate_size": 2048, "num_hidden_layers": 78,
            "num_attention_heads": 64, "num_key_value_heads": 64, "n_shared_experts": 1, "n_routed_experts": 256,
            "num_experts_per_tok": 8, "first_k_dense_replace": 3, "kv_lora_rank": 512, "q_lora_rank": 2048,
            "qk_rope_head_dim": 64, "v_head_dim": 256, "qk_nope_head_dim": 192, "head_dim": 64,
            "index_n_heads": 32, "index_head_dim": 128, "index_topk": 2048})",
              744, 0, 0.001, "card of zai-org/GLM-5: 744B, 40B activated"},
    Published{"nemotron_h_8b", R"({"model_type": "nemotron_h", "vocab_size": 131072, "hidden_size": 4096,
            "intermediate_size": 21504, "num_hidden_layers": 52, "num_attention_heads": 32,
            "attention_head_dim": 128, "num_key_value_heads": 8, "mamba_num_heads": 128, "mamba_head_dim": 64,
            "ssm_state_size": 128, "n_groups": 8, "conv_kernel": 4, "tie_word_embeddings": false,
            "hybrid_override_pattern": "M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M-"})",
              8.1, 0, 0.005, "arXiv 2504.03624: 8B; safetensors 8.1B"},
    Published{"nemotron_3_nano", R"({"model_type": "nemotron_h", "vocab_size": 131072, "hidden_size": 2688,
            "intermediate_size": 1856, "num_hidden_layers": 52, "num_attention_heads": 32, "head_dim": 128,
            "num_key_value_heads": 2, "mamba_num_heads": 64, "mamba_head_dim": 64, "ssm_state_size": 128,
            "n_groups": 8, "conv_kernel": 4, "n_routed_experts": 128, "n_shared_experts": 1,
            "num_experts_per_tok": 6, "moe_intermediate_size": 1856, "moe_shared_expert_intermediate_size": 3712,
            "hybrid_override_pattern": "MEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEMEM*EMEMEMEME"})",
              31.6, 3.6, 0.0016,
              "card of nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B: 31.6B, 3.6B activated with embeddings"}};

INSTANTIATE_TEST_SUITE_P(Families, PublishedModels, testing::ValuesIn(published_models),
                         [](const testing::TestParamInfo<Published>& tested) {
                           return std::string(tested.param.name);
                         });

json patched(json of, const json& changes) {
  of.merge_patch(changes);
  return of;
}

TEST(HuggingFace, DividesUnlikeBlocks) {
  const Application gpt = read_config(core::json_from<json>(R"({"model_type": "gpt_oss", "hidden_size": 64,
      "intermediate_size": 64, "num_attention_heads": 4, "num_hidden_layers": 3, "num_key_value_heads": 2,
      "vocab_size": 100, "num_local_experts": 4, "num_experts_per_tok": 2, "sliding_window": 128,
      "layer_types": ["full_attention", "sliding_attention", "sliding_attention"]})"))
                              .application;
  ASSERT_EQ(gpt.blocks.size(), 2u);
  EXPECT_EQ(gpt.blocks[0].num_blocks, 1);
  EXPECT_EQ(gpt.blocks[0].window, 0);
  EXPECT_EQ(gpt.blocks[1].num_blocks, 2);
  EXPECT_EQ(gpt.blocks[1].window, 128);
  const Application v3 = read_config(core::json_from<json>(deepseek)).application;
  ASSERT_EQ(v3.blocks.size(), 2u);
  EXPECT_TRUE(v3.blocks[0].leads);
  EXPECT_EQ(v3.blocks[0].experts, 0);
  EXPECT_EQ(v3.mtp_blocks, 1);
  EXPECT_EQ(v3.seq_size, 4096);
}

TEST(HuggingFace, SaysWhatItDoesNotUse) {
  const json config =
      patched(core::json_from<json>(deepseek), {{"indexer_types", {"full"}}, {"rope_theta", 1e4}});
  EXPECT_THAT(read_config(config).notes, ElementsAre("not used, may change the shape: indexer_types"));
  const JsonDocument document("config.json: ", config);
  EXPECT_THAT(
      about_hugging_face(document.root(), "config.json", 8192),
      Contains(HasSubstr("config.json: deepseek_v3, 671.03 billion weights, 37.55 a token, and 11.")));
}

TEST(HuggingFace, IsRefusedInOneLine) {
  const json config = core::json_from<json>(deepseek);
  EXPECT_THAT(message_of([&] { read_config(patched(config, {{"model_type", "gpt5"}})); }),
              HasSubstr("config.json: model_type: expected one of llama, mistral, mixtral"));
  EXPECT_THAT(message_of([&] { read_config(patched(config, {{"hidden_size", nullptr}})); }),
              HasSubstr("hidden_size"));
  EXPECT_THAT(message_of([&] { read_config(patched(config, {{"kv_lora_rank", "many"}})); }),
              HasSubstr("config.json: kv_lora_rank: expected a whole number"));
  EXPECT_THAT(message_of([&] { read_application(config, "config.json"); }),
              HasSubstr("a config.json needs --model assay"));
}

constexpr const char* small_llama = R"({"model_type": "llama", "hidden_size": 64, "intermediate_size": 64,
    "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 100})";
constexpr const char* small_hybrid =
    R"({"model_type": "nemotron_h", "hidden_size": 64, "intermediate_size": 64,
    "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 100,
    "mamba_num_heads": 4, "mamba_head_dim": 16, "ssm_state_size": 16, "hybrid_override_pattern": "M-"})";

std::string refusal_of(const char* config, const json& changes) {
  return message_of([&] { read_config(patched(core::json_from<json>(config), changes)); });
}

TEST(HuggingFace, RefusesToDivideByNothing) {
  EXPECT_EQ(refusal_of(small_llama, {{"num_attention_heads", nullptr}}),
            "config.json: num_attention_heads: this key is missing");
  EXPECT_EQ(refusal_of(small_llama, {{"num_attention_heads", 0}}),
            "config.json: num_attention_heads: expected a whole number from 1 to 1000000000, got 0");
  EXPECT_EQ(refusal_of(small_llama, {{"num_attention_heads", 128}}),
            "config.json: num_attention_heads: expected hidden_size at most, got 128");
  EXPECT_THAT(refusal_of(small_llama, {{"num_key_value_heads", 0}}),
              HasSubstr("config.json: num_key_value_heads: expected a whole number from 1"));
  for (const char* key : {"n_groups", "conv_kernel", "chunk_size"})
    EXPECT_THAT(refusal_of(small_hybrid, {{key, 0}}),
                HasSubstr(fmt::format("config.json: {}: expected a whole number from 1", key)));
  EXPECT_EQ(refusal_of(small_hybrid, {{"n_groups", 3}}),
            "config.json: n_groups: expected a divisor of mamba_num_heads, got 3");
  EXPECT_THAT(refusal_of(deepseek, {{"num_experts_per_tok", 0}}),
              HasSubstr("config.json: num_experts_per_tok: expected a whole number from 1"));
}

TEST(HuggingFace, IsPredictedAsAnApplication) {
  json execution = sample_execution(), system = sample_system();
  execution.update({{"fused_attention", true}, {"num_procs", 16}, {"pipeline_par", 16}, {"batch_size", 16}});
  system["mem1"]["GiB"] = 1e6;
  const Prediction prediction =
      predict(read_configuration(core::json_from<json>(deepseek), execution, system,
                                 {"config.json", "EXE", "SYS"}, {.model = Model::assay}));
  EXPECT_TRUE(prediction.verdict.feasible());
  // 37.55 billion weights a token but for the embedding's 0.93, 6 FLOP each, and the block that predicts
  // further.
  const double flops = prediction.step.total_efficiency * prediction.step.time.total_s * 1e12 * 16;
  const double weights = 6 * (37.55e9 - 0.93e9 + 1.5e9) * 16 * 4096;
  EXPECT_NEAR(flops / weights, 1.1, 0.1);
}

}  // namespace
}  // namespace assay::model
