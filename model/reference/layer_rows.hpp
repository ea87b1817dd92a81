// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The layers of one transformer block, a row each, in their order.
#pragma once

#include <string_view>
#include <vector>

#include "model/reference/letters.hpp"

namespace assay::model::reference {

/// Whether a layer talks to its tensor-parallel peers: on its own, or tile by tile behind its product.
enum class Talk { never, alone, tiled };

/// The treatment of a layer in the backward pass.
struct Fate {
  bool rec = false;     // computed again
  bool recomm = false;  // exchanged again
  bool shared = false;  // its input is another's, and not in the working set
  bool noact = false;   // its activation is not kept
  bool noout = false;   // nor its output
};

struct Row {
  std::string_view name;
  Real F = 0, Ga = 0, Gw = 0;                       // FLOP: forward, gradients of activations and of weights
  Real O = 0, W = 0;                                // elements of output and weights
  Real forward = 0, act_grad = 0, weight_grad = 0;  // bytes touched
  Real kept = 0, gradient = 0;                      // bytes of activations, and of their gradients
  bool matrix = false;
  Talk talk = Talk::never;
  bool closing = false;  // talks after its product, by a reduction forward; else before it, by a gather
  Real S = 0;            // bytes of what it talks about
  Fate fate = {};
};

std::vector<Row> block_rows(const Letters& x);

}  // namespace assay::model::reference
