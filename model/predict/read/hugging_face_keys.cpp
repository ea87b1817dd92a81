// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/read/hugging_face_keys.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "harness/core/printable.hpp"

namespace assay::model {
namespace {

/// Beginnings of keys that say nothing about the shape: names, tokens, places, numerics, routing, biases
/// (below 0.1 % of the weights), and what generation alone uses.
constexpr std::array<std::string_view, 76> silent = {"_name_or_path",
                                                     "architectures",
                                                     "auto_map",
                                                     "model_type",
                                                     "name",
                                                     "transformers_version",
                                                     "torch_dtype",
                                                     "dtype",
                                                     "bos_",
                                                     "eos_",
                                                     "pad_token",
                                                     "boi_",
                                                     "eoi_",
                                                     "image_",
                                                     "rope_",
                                                     "rotary_",
                                                     "partial_rotary",
                                                     "max_",
                                                     "original_max_",
                                                     "initial_context",
                                                     "initializer_range",
                                                     "rms_norm",
                                                     "norm_",
                                                     "layer_norm",
                                                     "use_cache",
                                                     "attention_dropout",
                                                     "attention_bias",
                                                     "mlp_bias",
                                                     "use_bias",
                                                     "hidden_act",
                                                     "mlp_hidden_act",
                                                     "mamba_hidden_act",
                                                     "hidden_activation",
                                                     "hidden_dropout",
                                                     "router_",
                                                     "output_router",
                                                     "scoring_func",
                                                     "topk_",
                                                     "topk_method",
                                                     "routed_scaling",
                                                     "aux_loss",
                                                     "seq_aux",
                                                     "ep_size",
                                                     "n_group",
                                                     "quantization",
                                                     "pretraining_tp",
                                                     "qk_head_dim",
                                                     "query_pre_attn",
                                                     "attn_logit",
                                                     "final_logit",
                                                     "attn_",
                                                     "floor_scale",
                                                     "swiglu_limit",
                                                     "use_conv_bias",
                                                     "use_mamba",
                                                     "mamba_proj_bias",
                                                     "mamba_ssm",
                                                     "time_step",
                                                     "rescale_",
                                                     "residual_in",
                                                     "num_logits",
                                                     "indexer_rope",
                                                     "no_rope_layers",
                                                     "for_llm_compressor",
                                                     "max_window_layers",
                                                     "vision_",
                                                     "mm_",
                                                     "cache_implementation",
                                                     "moe_router",
                                                     "moe_layers",
                                                     "expand",
                                                     "norm_topk",
                                                     "sliding_window_pattern",
                                                     "head_dim",
                                                     "text_config",
                                                     "num_key_value_heads"};

bool says_nothing(std::string_view key) {
  const auto opens = [&](std::string_view beginning) { return key.starts_with(beginning); };
  return std::ranges::any_of(silent, opens);
}

}  // namespace

bool HuggingFaceKeys::has(std::string_view key) const {
  asked_.emplace(key);
  return keys_.has(key) && !keys_.at(key).is_null();
}

std::int64_t HuggingFaceKeys::count(std::string_view key) const {
  asked_.emplace(key);
  return keys_.count(key);
}

std::int64_t HuggingFaceKeys::count_or(std::string_view key, std::int64_t usual) const {
  if (!has(key)) return usual;
  const JsonValue value = keys_.at(key);
  if (value.is_boolean() && !value.get<bool>()) return 0;
  return keys_.whole(key, 0);
}

std::int64_t HuggingFaceKeys::divisor(std::string_view key, std::int64_t usual) const {
  return has(key) || usual == 0 ? keys_.count(key) : usual;
}

bool HuggingFaceKeys::flag_or(std::string_view key, bool usual) const {
  return has(key) ? keys_.flag(key) : usual;
}

std::string HuggingFaceKeys::word(std::string_view key) const {
  asked_.emplace(key);
  return keys_.word(key);
}

std::vector<std::string> HuggingFaceKeys::words(std::string_view key) const {
  std::vector<std::string> found;
  if (!has(key)) return found;
  for (const JsonValue value : keys_.list(key)) {
    if (!value.is_string()) keys_.fail(key, "a list of words", value);
    found.push_back(value.get<std::string>());
  }
  return found;
}

std::vector<std::int64_t> HuggingFaceKeys::counts(std::string_view key) const {
  std::vector<std::int64_t> found;
  if (!has(key)) return found;
  for (const JsonValue value : keys_.list(key)) {
    if (value.kind() != JsonKind::whole) keys_.fail(key, "a list of whole numbers", value);
    found.push_back(value.get<std::int64_t>());
  }
  return found;
}

JsonValue HuggingFaceKeys::part(std::string_view key) const {
  asked_.emplace(key);
  return keys_.at(key);
}

void HuggingFaceKeys::fail(std::string_view key, std::string_view expected) const {
  if (keys_.has(key)) keys_.fail(key, expected, keys_.at(key));
  keys_.fail(key, expected);
}

std::string HuggingFaceKeys::unused() const {
  constexpr std::size_t most_shown = 20, longest_key = 60;
  std::vector<std::string> left;
  for (const JsonValue member : object_)
    if (!member.is_null() && !asked_.contains(member.key()) && !says_nothing(member.key()))
      left.push_back(core::printable(member.key(), longest_key));
  if (left.empty()) return {};
  const std::size_t all = left.size();
  left.resize(std::min(all, most_shown));
  return fmt::format("not used, may change the shape: {}{}", fmt::join(left, ", "),
                     all > most_shown ? fmt::format(" and {} more", all - most_shown) : "");
}

}  // namespace assay::model
