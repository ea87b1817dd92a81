// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The model to be trained: transformer blocks as Calculon's application file gives them, and what only
// `--model assay` knows, absent where 0 or false.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "harness/core/describe/field.hpp"

namespace assay::model {

/// Layers that mix tokens in a block.
enum class Mixer { full, window, linear, state_space, none };
constexpr auto words_for(core::Type<Mixer>) {
  return core::words_of<Mixer>("full", "window", "linear", "state_space", "none");
}

/// Multi-head latent attention: queries, keys and values come out of narrow tensors.
struct Latent {
  std::int64_t query = 0;      // elements; 0: queries come from the whole width
  std::int64_t key_value = 0;  // elements; 0: no latent attention
  std::int64_t rope = 0;       // elements of a head that carry its place, besides attn_size
  std::int64_t value = 0;      // elements of a head's value; 0: attn_size
};
constexpr auto fields_of(core::Type<Latent>) {
  using core::Field, core::from_one;
  return std::tuple(Field<"key_value", &Latent::key_value>{from_one},
                    Field<"query", &Latent::query>{from_one.where_known()},
                    Field<"rope", &Latent::rope>{from_one.where_known()},
                    Field<"value", &Latent::value>{from_one.where_known()});
}

/// Sparse attention: a small indexer chooses the tokens that a query sees.
struct Sparse {
  std::int64_t heads = 0, size = 0;  // of the indexer
  std::int64_t top = 0;              // tokens that are chosen; 0: no sparse attention
};
constexpr auto fields_of(core::Type<Sparse>) {
  using core::Field, core::from_one;
  return std::tuple(Field<"heads", &Sparse::heads>{from_one}, Field<"size", &Sparse::size>{from_one},
                    Field<"top", &Sparse::top>{from_one});
}

/// A state of head_size x state_size a head that tokens update in turn, worked out chunk by chunk.
struct State {
  std::int64_t heads = 0;       // 0: there is none
  std::int64_t head_size = 0;   // elements of a value
  std::int64_t state_size = 0;  // elements of a key
  std::int64_t groups = 1;      // of heads that share keys and queries
  std::int64_t taps = 4;        // tokens that the convolution before it sees
  std::int64_t chunk = 256;     // tokens
};
constexpr auto fields_of(core::Type<State>) {
  using core::Field, core::from_one;
  return std::tuple(Field<"heads", &State::heads>{from_one}, Field<"head_size", &State::head_size>{from_one},
                    Field<"state_size", &State::state_size>{from_one},
                    Field<"groups", &State::groups>{from_one.where_known()},
                    Field<"taps", &State::taps>{from_one.where_known()},
                    Field<"chunk", &State::chunk>{from_one.where_known()});
}

struct Application {
  std::int64_t hidden = 0;       // elements
  std::int64_t feedforward = 0;  // elements
  std::int64_t seq_size = 0;     // tokens
  std::int64_t attn_heads = 0;
  std::int64_t attn_size = 0;  // elements a head
  std::int64_t num_blocks = 0;

  std::int64_t kv_heads = 0;    // grouped queries; 0: as many as the execution's attention_type says
  bool gated_mlp = false;       // two projections up, one through the activation, multiplied
  std::int64_t vocabulary = 0;  // rows of embedding and head; 0: neither is there
  bool tied_embedding = false;  // the head's matrix is the embedding's
  std::int64_t experts = 0;     // in place of each MLP
  std::int64_t experts_per_token = 1;
  double capacity_factor = 1;  // slots of an expert over its even share of the tokens

  // Defaults are Calculon's; those of --model assay: read_extensions().
  bool causal = false;                            // a token sees itself and those before it
  std::int64_t window = 0;                        // tokens that one sees at most; 0: all
  std::int64_t attention_chunk = 0;               // tokens that see one another alone; 0: all
  std::vector<std::int64_t> packed_lengths = {};  // of documents in a sequence; empty: one
  bool dropout = true;                            // after attention, MLP and softmax

  std::int64_t expert_feedforward = 0;  // elements of an expert; 0: feedforward
  std::int64_t shared_experts = 0;      // that every token takes, of the same width
  double expert_skew = 0;               // the i-th expert's load is as i^-skew
  std::int64_t mtp_blocks = 0;          // that predict tokens further ahead, each with a head's pass
  Mixer attention = Mixer::full;        // `window` in effect only for `window`, and for `full` without blocks
  bool mlp = true;                      // whether a block has one, or experts
  bool qk_norm = false;                 // of queries and keys
  bool post_norms = false;              // also after attention and MLP
  bool sinks = false;                   // a logit a head that no token has
  Latent latent = {};
  Sparse sparse = {};
  State state = {};

  /// Unlike blocks, each with the count of its own as num_blocks; empty where all are alike. Those that lead
  /// come first, the others spread evenly.
  std::vector<Application> blocks = {};
  bool leads = false;

  std::int64_t expert_width() const { return expert_feedforward > 0 ? expert_feedforward : feedforward; }
  std::int64_t value_size() const { return latent.value > 0 ? latent.value : attn_size; }
  /// Elements of a query or key.
  std::int64_t head_size() const { return attn_size + latent.rope; }
};
/// Calculon's six keys; those that may be absent are assay's.
constexpr auto fields_of(core::Type<Application>) {
  using core::Field, core::from_one, core::any_value;
  using A = Application;
  return std::tuple(
      Field<"hidden", &A::hidden>{from_one}, Field<"feedforward", &A::feedforward>{from_one},
      Field<"seq_size", &A::seq_size>{from_one}, Field<"attn_heads", &A::attn_heads>{from_one},
      Field<"attn_size", &A::attn_size>{from_one}, Field<"num_blocks", &A::num_blocks>{from_one},
      Field<"kv_heads", &A::kv_heads>{from_one.where_known()},
      Field<"gated_mlp", &A::gated_mlp>{any_value.where_known()},
      Field<"vocabulary", &A::vocabulary>{from_one.where_known()},
      Field<"tied_embedding", &A::tied_embedding>{any_value.where_known()},
      Field<"experts", &A::experts>{from_one.where_known()},
      Field<"experts_per_token", &A::experts_per_token>{from_one.where_known()},
      Field<"capacity_factor", &A::capacity_factor>{core::above_zero.where_known()},
      Field<"causal", &A::causal>{any_value.where_known()},
      Field<"window", &A::window>{from_one.where_known()},
      Field<"attention_chunk", &A::attention_chunk>{from_one.where_known()},
      Field<"packed_lengths", &A::packed_lengths>{from_one.where_known()},
      Field<"dropout", &A::dropout>{any_value.where_known()},
      Field<"expert_feedforward", &A::expert_feedforward>{from_one.where_known()},
      Field<"shared_experts", &A::shared_experts>{from_one.where_known()},
      Field<"expert_skew", &A::expert_skew>{core::from_zero.where_known()},
      Field<"mtp_blocks", &A::mtp_blocks>{from_one.where_known()},
      Field<"attention", &A::attention>{any_value.where_known()},
      Field<"mlp", &A::mlp>{any_value.where_known()}, Field<"qk_norm", &A::qk_norm>{any_value.where_known()},
      Field<"post_norms", &A::post_norms>{any_value.where_known()},
      Field<"sinks", &A::sinks>{any_value.where_known()},
      Field<"latent", &A::latent>{any_value.where_known()},
      Field<"sparse", &A::sparse>{any_value.where_known()},
      Field<"state", &A::state>{any_value.where_known()});
}

/// Kinds of blocks, the application itself where all are alike.
inline std::span<const Application> kinds_of(const Application& application) {
  if (application.blocks.empty()) return {&application, 1};
  return application.blocks;
}

/// Keys of files that become `blocks`.
inline constexpr std::array<std::string_view, 3> block_keys = {"blocks", "dense_blocks", "expert_every"};

}  // namespace assay::model
