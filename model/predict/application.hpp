// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The model to be trained, as Calculon's application file gives it: identical transformer blocks, no
// embedding, no head.
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
};

}  // namespace assay::model
