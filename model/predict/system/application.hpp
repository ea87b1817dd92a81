// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The model to be trained: identical transformer blocks as Calculon's application file gives them, and what
// only `--model assay` knows, absent where 0 or false.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/core/describe/field.hpp"

namespace assay::model {

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
};
/// Calculon's six keys; those that may be absent are assay's.
constexpr auto fields_of(core::Type<Application>) {
  using core::Field, core::from_one;
  return std::tuple(Field<"hidden", &Application::hidden>{from_one},
                    Field<"feedforward", &Application::feedforward>{from_one},
                    Field<"seq_size", &Application::seq_size>{from_one},
                    Field<"attn_heads", &Application::attn_heads>{from_one},
                    Field<"attn_size", &Application::attn_size>{from_one},
                    Field<"num_blocks", &Application::num_blocks>{from_one},
                    Field<"kv_heads", &Application::kv_heads>{from_one.where_known()},
                    Field<"gated_mlp", &Application::gated_mlp>{core::any_value.where_known()},
                    Field<"vocabulary", &Application::vocabulary>{from_one.where_known()},
                    Field<"tied_embedding", &Application::tied_embedding>{core::any_value.where_known()},
                    Field<"experts", &Application::experts>{from_one.where_known()},
                    Field<"experts_per_token", &Application::experts_per_token>{from_one.where_known()},
                    Field<"capacity_factor", &Application::capacity_factor>{core::above_zero.where_known()},
                    Field<"causal", &Application::causal>{core::any_value.where_known()},
                    Field<"window", &Application::window>{from_one.where_known()},
                    Field<"attention_chunk", &Application::attention_chunk>{from_one.where_known()},
                    Field<"packed_lengths", &Application::packed_lengths>{from_one.where_known()},
                    Field<"dropout", &Application::dropout>{core::any_value.where_known()});
}

}  // namespace assay::model
