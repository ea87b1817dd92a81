// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/read/read_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/json/json_fields.hpp"
#include "model/predict/read/known_keys.hpp"

namespace assay::model {
namespace {

/// Keys that a kind of block may have; the others are the whole model's.
constexpr std::array<std::string_view, 24> kind_keys = {"count",
                                                        "leads",
                                                        "name",
                                                        "feedforward",
                                                        "attn_heads",
                                                        "attn_size",
                                                        "kv_heads",
                                                        "gated_mlp",
                                                        "experts",
                                                        "experts_per_token",
                                                        "window",
                                                        "attention",
                                                        "mlp",
                                                        "capacity_factor",
                                                        "attention_chunk",
                                                        "qk_norm",
                                                        "post_norms",
                                                        "shared_experts",
                                                        "expert_feedforward",
                                                        "expert_skew",
                                                        "sinks",
                                                        "latent",
                                                        "sparse",
                                                        "state"};

void require_experts(const JsonKeys& keys, const Application& a) {
  for (const char* key :
       {"experts_per_token", "capacity_factor", "expert_feedforward", "shared_experts", "expert_skew"})
    if (keys.has(key) && a.experts == 0) keys.fail(key, "experts with it");
  if (a.experts > 0 && a.experts_per_token > a.experts)
    keys.fail("experts_per_token", "no more than there are experts", keys.at("experts_per_token"));
  if (a.expert_skew > 0 && a.capacity_factor != 1)
    keys.fail("expert_skew", "no capacity_factor with it: that cuts what is above an even share");
}

/// Checks what keys of one kind of block ask of one another.
void require_kind(const JsonKeys& keys, const Application& a) {
  if (a.kv_heads > 0 && a.attn_heads % a.kv_heads != 0)
    keys.fail("kv_heads", "a divisor of attn_heads",
              keys.at(keys.has("kv_heads") ? "kv_heads" : "attn_heads"));
  require_experts(keys, a);
  if (a.attention == Mixer::window && a.window == 0) keys.fail("attention", "a window with it");
  const bool has_state = a.attention == Mixer::linear || a.attention == Mixer::state_space;
  if (has_state && a.state.heads == 0) keys.fail("attention", "a state with it");
  if (has_state && a.state.heads % a.state.groups != 0) keys.fail("state", "groups that divide its heads");
  if (a.attention == Mixer::none && !a.mlp) keys.fail("mlp", "true where attention is 'none'");
  if (a.latent.key_value > 0 && a.kv_heads > 0) keys.fail("latent", "no kv_heads with it");
  if (a.sparse.top > 0 && a.latent.key_value == 0) keys.fail("sparse", "latent with it");
}

void read_if_any(const JsonKeys& keys, const char* key, std::int64_t& into) {
  if (keys.has(key)) into = keys.count(key);
}

/// One kind: what it does not say is the whole model's.
Application read_kind(const JsonKeys& keys, const Application& model) {
  keys.only(kind_keys);
  Application kind = model;
  kind.num_blocks = keys.count("count");
  if (keys.has("leads")) kind.leads = keys.flag("leads");
  read_if_any(keys, "feedforward", kind.feedforward);
  read_if_any(keys, "attn_heads", kind.attn_heads);
  read_if_any(keys, "attn_size", kind.attn_size);
  if (keys.has("attention") && keys.word("attention") == "full") kind.window = kind.attention_chunk = 0;
  read_fields(keys, Keys::optional, kind);
  require_kind(keys, kind);
  return kind;
}

void read_list(const JsonKeys& keys, Application& application) {
  for (const char* key : {"dense_blocks", "expert_every", "experts", "attention", "mlp"})
    if (keys.has(key)) keys.fail(key, "it in the blocks that have it, or no blocks");
  const Application model = application;
  std::int64_t sum = 0;
  for (const JsonKeys& kind : keys.objects("blocks")) {
    application.blocks.push_back(read_kind(kind, model));
    sum += application.blocks.back().num_blocks;
  }
  if (application.blocks.empty()) keys.fail("blocks", "one kind of block at least");
  if (sum != application.num_blocks)
    keys.fail("blocks", fmt::format("counts that sum to num_blocks {}, got {}", application.num_blocks, sum));
}

}  // namespace

void divide_experts(std::int64_t dense, std::int64_t every, Application& application) {
  if (dense == 0 && every == 1) return;
  Application lead = application, without = application, with = application;
  lead.experts = without.experts = 0;
  lead.shared_experts = without.shared_experts = 0;
  lead.leads = true;
  lead.num_blocks = dense;
  with.num_blocks = application.num_blocks / every - dense / every;
  without.num_blocks = application.num_blocks - dense - with.num_blocks;
  for (const Application* kind : {&lead, &without, &with})
    if (kind->num_blocks > 0) application.blocks.push_back(*kind);
}

void read_blocks(const JsonKeys& keys, Application& a) {
  if (!keys.has("blocks")) {
    require_kind(keys, a);
    std::int64_t dense = 0, every = 1;
    for (const char* key : {"dense_blocks", "expert_every"})
      if (keys.has(key) && a.experts == 0) keys.fail(key, "experts with it");
    read_if_any(keys, "dense_blocks", dense);
    read_if_any(keys, "expert_every", every);
    if (dense >= a.num_blocks) keys.fail("dense_blocks", "less than num_blocks", keys.at("dense_blocks"));
    if (every > a.num_blocks) keys.fail("expert_every", "num_blocks at most", keys.at("expert_every"));
    divide_experts(dense, every, a);
  } else {
    read_list(keys, a);
  }
  if (!a.blocks.empty() && a.num_blocks > most_unlike_blocks)
    keys.fail("num_blocks", fmt::format("at most {} where blocks are unlike", most_unlike_blocks),
              keys.at("num_blocks"));
}

}  // namespace assay::model
