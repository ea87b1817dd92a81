// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The work of one layer of a transformer block on one processor for one microbatch: FLOPs and bytes of each
// pass, and what it keeps. Formulas: docs/method/model.md, "A layer".
#pragma once

#include <optional>

#include "model/predict/system/system.hpp"

namespace assay::model {

enum class LayerEngine { matrix, vector };
/// A layer's exchange with its tensor-parallel peers: `gather` before its column-parallel GEMM, `reduce`
/// after its row-parallel one. Backward the two change places. `dispatch` is the all-to-all between
/// expert-parallel peers, the same in both directions; `context` that of keys, values and heads between
/// context-parallel peers.
enum class Exchange { none, gather, reduce, dispatch, context };

struct Layer {
  LayerEngine engine = LayerEngine::vector;
  double fw_flops = 0, agrad_flops = 0, wgrad_flops = 0;
  double fw_bytes = 0, agrad_bytes = 0, wgrad_bytes = 0;
  double products = 0;  // with weights, of the shape that follows; 0: not a product
  MatmulShape product;  // forward; the gradients' are the same three sizes in other places
  std::optional<AttentionProduct> attention = {};  // then `batch` of the shape above, in one call
  double batch = 0;
  double fw_cast_bytes = 0, agrad_cast_bytes = 0;  // of those above, to make a product's operands narrow
  std::optional<VectorCall> vector = {};           // of a kernel that can be measured
  double weights = 0;                              // elements
  double output_bytes = 0;                         // forgotten where drops_output
  double activation_bytes = 0;                     // kept for the backward pass
  double gradient_bytes = 0;                       // of the activations
  bool recomputed = false;                         // its forward runs again in the backward pass
  bool shared_input = false;                       // another layer keeps the same tensor
  bool drops_activation = false;
  bool drops_output = false;
  bool among_experts = false;  // the exchange is between processors that share an expert
  bool of_experts = false;     // its weights differ between expert-parallel peers
  Exchange exchange = Exchange::none;
  double exchange_bytes = 0;       // the whole tensor
  bool tiled = false;              // the GEMM and its exchange run tile by tile
  bool exchange_repeated = false;  // in the backward pass

  Layer& between_experts() { return among_experts = true, *this; }
  /// A product with weights whose operands are cast from `width` to `narrow` bytes an element first.
  Layer with_operands(double width, double narrow) const;
  /// One of so many pieces of its tokens: each reads or writes all weights, of `width` bytes each.
  Layer piece(double pieces, double width) const;

  Layer& of_attention(AttentionProduct which) { return attention = which, *this; }
  Layer& recompute_if(bool yes) { return recomputed = yes, *this; }
  Layer& shares_input() { return shared_input = true, *this; }
  Layer& drop_activation_if(bool yes) { return drops_activation = yes, *this; }
  Layer& drop_output_if(bool yes) { return drops_output = yes, *this; }
  Layer& repeat_exchange_if(bool yes) { return exchange_repeated = yes, *this; }
};

/// `width` is bytes an element, `elements` are those on this processor.
Layer linear(double tokens, double inputs, double outputs, double width);
/// `count` products of m x n by n x k, of which `sharing` each have the same second operand. of_attention()
/// says which of the two it is.
Layer batched_matmul(double count, double m, double n, double k, double width, double sharing = 1);
Layer layer_norm(double elements, double hidden, double width);
Layer softmax(double elements, double row, double width);
Layer dropout(double elements, double width);
Layer gelu(double elements, double width, bool fused);
Layer residual(double elements, double width);
Layer fork(double elements, double users, double width);

/// A layer of as much work, none of it in memory: a part of a fused kernel.
Layer in_registers(Layer layer);
/// `count` heads of seq x size, each query of which is multiplied with `keys` of them.
struct FusedHeads {
  double count, seq, keys, size;
};
/// The two products of attention in one kernel: queries by keys, whose result stays in the kernel and of
/// which a maximum and a sum a row are kept (4 bytes each), and that by values.
Layer fused_scores(const FusedHeads& heads, double width, double sharing);
Layer fused_values(const FusedHeads& heads, double width, double sharing);
/// Scores of an indexer that never leave its kernel: `heads` queries of `size` by one key, whose products go
/// to a choice of tokens.
Layer index_scores(const FusedHeads& heads, double width);
/// A state that tokens update in turn, chunk by chunk in one kernel; sizes are those on this processor.
struct Scan {
  double tokens, heads, head_size, state_size, groups, chunk;
};
Layer scan(const Scan& scan, double width);
/// A convolution over the last `taps` tokens, each column by itself, with its activation.
Layer short_convolution(double tokens, double columns, double taps, double width);
/// The product of two halves of `elements` each, one through the activation.
Layer gated_activation(double elements, double width, bool fused);
/// `experts` linear layers here, each with `tokens` of its own.
Layer expert_linear(double experts, double tokens, double inputs, double outputs, double width);
/// Rows of the embedding found, and in the backward pass added up; `rows` of its table here.
Layer embedding(double tokens, double hidden, double rows, double width);
/// Tokens on their way to their experts or back: copied in order, then sent.
Layer dispatch(double elements, double width);
/// Marks where attention begins, and where it ends, the exchange between context-parallel peers: `bytes` of
/// keys and values of all of them, or for heads, of what one processor sends.
Layer context_begins();
Layer context_exchange(double bytes);

struct Tensors {
  double tokens, hidden, width, tensor_par;
  bool sequence_parallel;
  bool whole_gradients =
      false;  // a tiled GEMM's gradients touch the bytes of any GEMM's (Fixes::tile_pieces)
};
/// The exchange alone: moves, and where it reduces, adds up. Nothing at all with one member.
Layer exchange_layer(const Tensors& tensors, Exchange exchange);
/// A GEMM hidden -> outputs split by columns, with the gather it needs, tile by tile.
Layer tiled_column_gemm(const Tensors& tensors, double outputs);
/// A GEMM inputs -> hidden split by rows, with the reduction that follows, tile by tile.
Layer tiled_row_gemm(const Tensors& tensors, double inputs);

}  // namespace assay::model
