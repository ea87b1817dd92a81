// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/system/weight_count.hpp"

namespace assay::model {
namespace {

double real(std::int64_t count) { return static_cast<double>(count); }

double latent_count(const Application& a) {
  const double h = real(a.hidden), heads = real(a.attn_heads);
  const double query = real(a.latent.query), kv = real(a.latent.key_value), rope = real(a.latent.rope);
  const double value = real(a.value_size()), head = real(a.head_size());
  double sum = h * (kv + rope) + kv + kv * heads * (head - rope + value) + heads * value * h;
  sum += query > 0 ? h * query + query + query * heads * head : h * heads * head;
  if (a.sparse.top == 0) return sum;
  const double index = real(a.sparse.heads), size = real(a.sparse.size);
  return sum + (query > 0 ? query : h) * index * size + h * (size + index) + 2 * size;
}

double attention_weights(const Application& a) {
  const double h = real(a.hidden), heads = real(a.attn_heads), size = real(a.attn_size);
  const double kv_heads = a.kv_heads > 0 ? real(a.kv_heads) : heads;
  const double sinks = a.sinks ? heads : 0;
  if (a.latent.key_value > 0) return latent_count(a) + sinks;
  return 2 * h * heads * size + 2 * h * kv_heads * size + (a.qk_norm ? 2 * size : 0) + sinks;
}

// Per head a decay, a skip and the bias of its step.
double state_weights(const Application& a) {
  const double h = real(a.hidden), inner = real(a.state.heads) * real(a.state.head_size);
  const double mixed = inner + 2 * real(a.state.groups) * real(a.state.state_size);
  return h * (inner + mixed + real(a.state.heads)) + mixed * (real(a.state.taps) + 1) +
         3 * real(a.state.heads) + inner + inner * h;
}

double mixer_weights(const Application& a) {
  switch (a.attention) {
    case Mixer::none:
      return 0;
    case Mixer::linear:
    case Mixer::state_space:
      return state_weights(a);
    case Mixer::full:
    case Mixer::window:
      return attention_weights(a);
  }
  return 0;
}

double mlp_weights(const Application& a, double width) {
  return (a.gated_mlp ? 3 : 2) * real(a.hidden) * width;
}

WeightCount block_count(const Application& a) {
  const double h = real(a.hidden);
  const double parts = (a.attention == Mixer::none ? 0 : 1) + (a.mlp ? 1 : 0);
  double shared = mixer_weights(a) + parts * h * (a.post_norms ? 2 : 1);
  if (!a.mlp) return {shared, shared};
  if (a.experts == 0) {
    shared += mlp_weights(a, real(a.feedforward));
    return {shared, shared};
  }
  const double one = mlp_weights(a, real(a.expert_width()));
  shared += h * real(a.experts) + real(a.shared_experts) * one;
  return {shared + real(a.experts) * one, shared + real(a.experts_per_token) * one};
}

}  // namespace

WeightCount weight_count(const Application& application) {
  const double h = real(application.hidden);
  WeightCount sum;
  for (const Application& kind : kinds_of(application)) {
    const WeightCount block = block_count(kind);
    sum.all += real(kind.num_blocks) * block.all;
    sum.a_token += real(kind.num_blocks) * block.a_token;
  }
  const double ends = real(application.vocabulary) * h * (application.tied_embedding ? 1 : 2) +
                      (application.vocabulary > 0 ? h : 0);
  return {sum.all + ends, sum.a_token + ends};
}

double further_weight_count(const Application& application) {
  if (application.mtp_blocks == 0) return 0;
  const double h = real(application.hidden);
  return real(application.mtp_blocks) * (block_count(kinds_of(application).back()).all + 2 * h * h + 3 * h);
}

}  // namespace assay::model
