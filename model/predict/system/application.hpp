// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The model to be trained: identical transformer blocks as Calculon's application file gives them, and what
// only `--model assay` knows, absent where 0 or false.
#pragma once

#include <cstdint>

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
};

}  // namespace assay::model
