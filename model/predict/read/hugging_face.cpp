// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/read/hugging_face.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "harness/core/error.hpp"
#include "harness/core/printable.hpp"
#include "model/predict/read/hugging_face_keys.hpp"
#include "model/predict/read/read_blocks.hpp"
#include "model/predict/system/weight_count.hpp"

namespace assay::model {
namespace {

/// Traits of a family that its keys do not say, and where it differs in the names of keys.
struct Family {
  std::string_view type;
  bool gated = true, qk_norm = false, post_norms = false, sinks = false, tied = false;
  std::string_view experts = {};       // the key with their number
  std::string_view expert_width = {};  // "": intermediate_size
  bool latent = false;
  std::int64_t vocabulary = 0, head_size = 0, heads = 0, kv_heads = 0;  // where the file leaves them out
};

constexpr std::array families = {
    Family{.type = "llama"},
    Family{.type = "mistral"},
    Family{.type = "mixtral", .experts = "num_local_experts"},
    Family{.type = "llama4_text", .experts = "num_local_experts"},
    Family{.type = "qwen3", .qk_norm = true},
    Family{.type = "qwen3_moe",
           .qk_norm = true,
           .experts = "num_experts",
           .expert_width = "moe_intermediate_size"},
    Family{.type = "deepseek_v3",
           .experts = "n_routed_experts",
           .expert_width = "moe_intermediate_size",
           .latent = true},
    Family{.type = "deepseek_v32",
           .experts = "n_routed_experts",
           .expert_width = "moe_intermediate_size",
           .latent = true},
    Family{.type = "kimi_k2",
           .experts = "n_routed_experts",
           .expert_width = "moe_intermediate_size",
           .latent = true},
    Family{.type = "glm_moe_dsa",
           .experts = "n_routed_experts",
           .expert_width = "moe_intermediate_size",
           .latent = true},
    Family{.type = "glm4", .post_norms = true},
    Family{.type = "glm4_moe", .experts = "n_routed_experts", .expert_width = "moe_intermediate_size"},
    Family{.type = "gpt_oss", .sinks = true, .experts = "num_local_experts"},
    Family{.type = "gemma3_text",
           .qk_norm = true,
           .post_norms = true,
           .tied = true,
           .vocabulary = 262208,
           .head_size = 256,
           .heads = 8,
           .kv_heads = 4},
    Family{.type = "nemotron_h",
           .gated = false,
           .experts = "n_routed_experts",
           .expert_width = "moe_intermediate_size"}};

/// Models that wrap a language model of these types: its keys are in `text_config`.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> wrappers = {
    {{"llama4", "llama4_text"}, {"gemma3", "gemma3_text"}, {"kimi_k25", "kimi_k2"}}};

std::string_view wrapped_type(std::string_view type) {
  const auto found = std::ranges::find(wrappers, type, [](const auto& row) { return row.first; });
  return found == wrappers.end() ? std::string_view() : found->second;
}

const Family& family_of(const HuggingFaceKeys& keys, std::string_view type) {
  const auto found = std::ranges::find(families, type, &Family::type);
  if (found == families.end())
    keys.fail("model_type", fmt::format("one of {}", fmt::join(hugging_face_types(), ", ")));
  return *found;
}

Application shape_of(const HuggingFaceKeys& keys, const Family& family, std::int64_t tokens) {
  Application a;
  a.seq_size = tokens;
  a.hidden = keys.count("hidden_size");
  a.num_blocks = keys.count("num_hidden_layers");
  a.attn_heads = keys.divisor("num_attention_heads", family.heads);
  a.vocabulary = keys.count_or("vocab_size", family.vocabulary);
  a.tied_embedding = keys.flag_or("tie_word_embeddings", family.tied);
  a.feedforward = keys.count_or("intermediate_size_mlp", 0);
  if (a.feedforward == 0) a.feedforward = keys.count("intermediate_size");
  a.causal = true;
  a.dropout = false;
  a.gated_mlp = family.gated;
  a.qk_norm = keys.flag_or("use_qk_norm", family.qk_norm) && family.type != "llama4_text";
  a.post_norms = family.post_norms;
  a.sinks = family.sinks;
  if (family.latent) {
    a.attn_size = keys.count("qk_nope_head_dim");
    a.latent = {.query = keys.count_or("q_lora_rank", 0),
                .key_value = keys.count("kv_lora_rank"),
                .rope = keys.count("qk_rope_head_dim"),
                .value = keys.count("v_head_dim")};
    if (keys.has("index_topk"))
      a.sparse = {keys.count("index_n_heads"), keys.count("index_head_dim"), keys.count("index_topk")};
    return a;
  }
  a.kv_heads = keys.divisor("num_key_value_heads", family.kv_heads > 0 ? family.kv_heads : a.attn_heads);
  a.attn_size = keys.count_or("head_dim", keys.count_or("attention_head_dim", family.head_size));
  if (a.attn_size == 0) a.attn_size = a.hidden / a.attn_heads;
  if (a.attn_size == 0) keys.fail("num_attention_heads", "hidden_size at most");
  if (a.attn_heads % a.kv_heads != 0) keys.fail("num_key_value_heads", "a divisor of num_attention_heads");
  return a;
}

void read_experts(const HuggingFaceKeys& keys, const Family& family, Application& a) {
  if (family.experts.empty()) return;
  a.experts = keys.count_or(family.experts, 0);
  if (a.experts == 0) return;
  a.experts_per_token = keys.divisor("num_experts_per_tok", keys.divisor("experts_per_token", 1));
  a.expert_feedforward = keys.count(family.expert_width.empty() ? "intermediate_size" : family.expert_width);
  a.shared_experts = family.type == "llama4_text" ? 1 : keys.count_or("n_shared_experts", 0);
  const std::int64_t shared = keys.count_or("moe_shared_expert_intermediate_size", 0);
  if (shared > 0 && a.shared_experts > 0) {
    if (shared % a.expert_feedforward != 0)
      keys.fail("moe_shared_expert_intermediate_size", "a multiple of an expert's width");
    a.shared_experts = shared / a.expert_feedforward;
  }
}

/// Differences between the blocks of a model.
struct LayerKind {
  bool experts = false, limited = false, leads = false;  // limited: by window or chunk
  Mixer mixer = Mixer::full;
  bool mlp = true;
  bool operator==(const LayerKind&) const = default;
};

/// Puts equal layers together as kinds of blocks.
void divide(const std::vector<LayerKind>& layers, Application& a) {
  std::vector<std::pair<LayerKind, std::int64_t>> kinds;
  for (const LayerKind& layer : layers) {
    const auto same = std::ranges::find(kinds, layer, [](const auto& kind) { return kind.first; });
    if (same == kinds.end())
      kinds.emplace_back(layer, 1);
    else
      ++same->second;
  }
  const Application model = a;
  for (const auto& [layer, count] : kinds) {
    Application kind = model;
    kind.num_blocks = count;
    kind.leads = layer.leads;
    kind.attention = layer.mixer;
    kind.mlp = layer.mlp;
    if (!layer.experts) kind.experts = kind.shared_experts = 0;
    if (!layer.limited) kind.window = kind.attention_chunk = 0;
    a.blocks.push_back(kind);
  }
  if (a.blocks.size() > 1) return;
  const Application only = a.blocks.front();
  a = only;
}

/// Letters of Nemotron-H's pattern: M state space, * attention, - MLP, E experts.
std::string pattern_of(const HuggingFaceKeys& keys, std::int64_t blocks) {
  std::string pattern;
  if (keys.has("hybrid_override_pattern")) {
    pattern = keys.word("hybrid_override_pattern");
  } else {
    for (const std::string& word : keys.words("layers_block_type"))
      pattern += word == "mamba" ? 'M' : word == "attention" ? '*' : word == "moe" ? 'E' : '-';
  }
  if (pattern.size() != static_cast<std::size_t>(blocks) ||
      pattern.find_first_not_of("M*-E") != std::string::npos)
    keys.fail("hybrid_override_pattern", "a letter of M, *, -, E for each of num_hidden_layers");
  return pattern;
}

void divide_hybrid(const HuggingFaceKeys& keys, Application& a) {
  a.state = {.heads = keys.count("mamba_num_heads"),
             .head_size = keys.count("mamba_head_dim"),
             .state_size = keys.count("ssm_state_size"),
             .groups = keys.divisor("n_groups", 1),
             .taps = keys.divisor("conv_kernel", 4),
             .chunk = keys.divisor("chunk_size", 256)};
  if (a.state.heads % a.state.groups != 0) keys.fail("n_groups", "a divisor of mamba_num_heads");
  std::vector<LayerKind> layers;
  for (const char letter : pattern_of(keys, a.num_blocks)) {
    const bool mixes = letter == 'M' || letter == '*';
    layers.push_back({.experts = letter == 'E',
                      .mixer = letter == 'M' ? Mixer::state_space
                               : mixes       ? Mixer::full
                                             : Mixer::none,
                      .mlp = !mixes});
  }
  divide(layers, a);
}

/// Layers that see a window or chunk alone: the list of their types, or all but every n-th.
std::vector<bool> limited_layers(const HuggingFaceKeys& keys, const Family& family, const Application& a) {
  const auto count = static_cast<std::size_t>(a.num_blocks);
  if (a.window == 0 && a.attention_chunk == 0) return std::vector<bool>(count, false);
  if (const std::vector<std::string> types = keys.words("layer_types"); !types.empty()) {
    if (types.size() != count) keys.fail("layer_types", "one for each of num_hidden_layers");
    std::vector<bool> limited;
    for (const std::string& type : types) limited.push_back(type != "full_attention");
    return limited;
  }
  std::int64_t every = 0;
  if (family.type == "gemma3_text") every = keys.count_or("sliding_window_pattern", 6);
  if (family.type == "llama4_text") every = keys.count_or("no_rope_layer_interval", 4);
  if (family.type == "gpt_oss") every = 2;
  std::vector<bool> limited;
  for (std::size_t at = 1; at <= count; ++at)
    limited.push_back(every == 0 || at % static_cast<std::size_t>(every) != 0);
  return limited;
}

void divide_others(const HuggingFaceKeys& keys, const Family& family, Application& a) {
  if (keys.flag_or("use_sliding_window", true)) a.window = keys.count_or("sliding_window", 0);
  a.attention_chunk = keys.count_or("attention_chunk_size", 0);
  const std::vector<bool> limited = limited_layers(keys, family, a);
  const std::int64_t dense = keys.count_or("first_k_dense_replace", 0);
  const std::int64_t every = std::max<std::int64_t>(
      1, std::max({keys.count_or("moe_layer_freq", 1), keys.count_or("interleave_moe_layer_step", 1),
                   keys.count_or("decoder_sparse_step", 1)}));
  const std::vector<std::int64_t> without = keys.counts("mlp_only_layers");
  std::vector<LayerKind> layers;
  for (std::int64_t at = 0; at < a.num_blocks; ++at) {
    const bool leads = a.experts > 0 && at < dense;
    const bool experts = a.experts > 0 && !leads && (at + 1) % every == 0 && !std::ranges::count(without, at);
    layers.push_back({.experts = experts, .limited = limited[static_cast<std::size_t>(at)], .leads = leads});
  }
  divide(layers, a);
}

}  // namespace

std::vector<std::string_view> hugging_face_types() {
  std::vector<std::string_view> types;
  for (const Family& family : families) types.push_back(family.type);
  for (const auto& [outer, inner] : wrappers) types.push_back(outer);
  return types;
}

bool is_hugging_face(const JsonValue& json) {
  return json.is_object() && json.find("model_type").found() && !json.find("hidden").found();
}

HuggingFaceModel read_hugging_face(const JsonValue& json, std::int64_t tokens) {
  HuggingFaceKeys keys(json);
  HuggingFaceModel model{.application = {}, .model_type = keys.word("model_type"), .notes = {}};
  std::string_view type = model.model_type;
  if (const std::string_view inner = wrapped_type(type); !inner.empty()) {
    type = inner;
    model.notes.emplace_back("only its language model is used: text_config");
    keys = HuggingFaceKeys(keys.part("text_config"));
  }
  const Family& family = family_of(keys, type);
  Application& a = model.application;
  a = shape_of(keys, family, tokens);
  if (a.num_blocks > most_unlike_blocks)
    keys.fail("num_hidden_layers", fmt::format("at most {}", most_unlike_blocks));
  read_experts(keys, family, a);
  if (family.type == "nemotron_h")
    divide_hybrid(keys, a);
  else
    divide_others(keys, family, a);
  a.mtp_blocks = keys.count_or("num_nextn_predict_layers", 0);
  if (const std::string unused = keys.unused(); !unused.empty()) model.notes.push_back(unused);
  return model;
}

std::vector<std::string> about_hugging_face(const JsonValue& json, const std::string& file,
                                            std::int64_t tokens) {
  const HuggingFaceModel model = read_hugging_face(json, tokens);
  const WeightCount weights = weight_count(model.application);
  const double further = further_weight_count(model.application);
  std::vector<std::string> lines{fmt::format(
      "{}: {}, {:.2f} billion weights, {:.2f} a token{}; sequences of {} tokens (--sequence)", file,
      core::printable(model.model_type, 60), weights.all * 1e-9, weights.a_token * 1e-9,
      further > 0 ? fmt::format(", and {:.2f} that predict further tokens", further * 1e-9) : "", tokens)};
  for (const std::string& note : model.notes) lines.push_back(fmt::format("{}: {}", file, note));
  return lines;
}

}  // namespace assay::model
