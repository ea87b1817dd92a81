// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The exchanges of one transformer block, each with its bytes.
#pragma once

#include <vector>

#include "model/predict/layers/block_layers.hpp"
#include "model/predict/layers/exchange.hpp"

namespace assay::model {

/// Equal exchanges of a pass.
struct ListedExchange {
  Direction direction = Direction::forward;
  Collective operation = Collective::all_reduce;
  bool between_experts = false;  // else between tensor-parallel peers
  double bytes = 0;              // of the whole tensor
  double count = 0;
};

/// The exchanges of one block and microbatch, of unlike blocks the mean; `edge`: of the last block of a
/// chunk.
std::vector<ListedExchange> exchanges_of_block(const Application& application, const Execution& execution,
                                               const System& system, bool edge);

}  // namespace assay::model
