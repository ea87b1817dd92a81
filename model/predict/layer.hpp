// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The work of one layer of a transformer block on one processor for one microbatch: FLOPs and bytes of each
// pass, and what it keeps. Formulas: docs/model.md, "A layer".
#pragma once

namespace assay::model {

enum class LayerEngine { matrix, vector };
/// Where a layer talks to its tensor-parallel peers: `gather` before its column-parallel GEMM, `reduce` after
/// its row-parallel one. Backward the two change places.
enum class Exchange { none, gather, reduce };

struct Layer {
  LayerEngine engine = LayerEngine::vector;
  double fw_flops = 0, agrad_flops = 0, wgrad_flops = 0;
  double fw_bytes = 0, agrad_bytes = 0, wgrad_bytes = 0;
  double weights = 0;           // elements
  double output_bytes = 0;      // forgotten where drops_output
  double activation_bytes = 0;  // kept for the backward pass
  double gradient_bytes = 0;    // of the activations
  bool recomputed = false;      // its forward runs again in the backward pass
  bool shared_input = false;    // another layer keeps the same tensor
  bool drops_activation = false;
  bool drops_output = false;
  Exchange exchange = Exchange::none;
  bool tiled = false;              // the GEMM and its exchange run tile by tile
  bool exchange_repeated = false;  // in the backward pass

  Layer& recompute_if(bool yes) { return recomputed = yes, *this; }
  Layer& shares_input() { return shared_input = true, *this; }
  Layer& drop_activation_if(bool yes) { return drops_activation = yes, *this; }
  Layer& drop_output_if(bool yes) { return drops_output = yes, *this; }
  Layer& repeat_exchange_if(bool yes) { return exchange_repeated = yes, *this; }
};

/// `width` is bytes an element, `elements` are those on this processor.
Layer linear(double tokens, double inputs, double outputs, double width);
/// `count` products of m x n by n x k.
Layer batched_matmul(double count, double m, double n, double k, double width);
Layer layer_norm(double elements, double hidden, double width);
Layer softmax(double elements, double width);
Layer dropout(double elements, double width);
Layer gelu(double elements, double width, bool fused);
Layer residual(double elements, double width);
Layer fork(double elements, double users, double width);

struct Tensors {
  double tokens, hidden, width, tensor_par;
  bool sequence_parallel;
};
/// The exchange alone: moves, and where it reduces, adds up. Nothing at all with one member.
Layer exchange_layer(const Tensors& tensors, Exchange exchange);
/// A GEMM hidden -> outputs split by columns, with the gather it needs, tile by tile.
Layer tiled_column_gemm(const Tensors& tensors, double outputs);
/// A GEMM inputs -> hidden split by rows, with the reduction that follows, tile by tile.
Layer tiled_row_gemm(const Tensors& tensors, double inputs);

}  // namespace assay::model
