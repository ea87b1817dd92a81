// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/layers/layer.hpp"

#include <cmath>

namespace assay::model {
namespace {

struct Sizes {  // in elements
  double inputs, outputs, weights, activation, gradient;
};

/// The rule for bytes: forward reads inputs and weights and writes outputs; each backward pass touches
/// weights, kept activations and their gradients, the second one only where there are weights.
Layer with_sizes(const Sizes& size, double width) {
  Layer layer;
  layer.weights = size.weights;
  layer.output_bytes = size.outputs * width;
  layer.activation_bytes = size.activation * width;
  layer.gradient_bytes = size.gradient * width;
  layer.fw_bytes = (size.inputs + size.outputs + size.weights) * width;
  layer.agrad_bytes = (size.weights + size.activation + size.gradient) * width;
  layer.wgrad_bytes = size.weights > 0 ? layer.agrad_bytes : 0;
  return layer;
}

void set_flops(Layer& layer, double forward, double activation_gradient, double weight_gradient) {
  layer.fw_flops = forward;
  layer.agrad_flops = activation_gradient;
  layer.wgrad_flops = weight_gradient;
}

/// Gives the layer a call with tensors of this many elements, `row` each in a row.
void set_kernel(Layer& layer, VectorKernel kernel, double elements, double row, double width) {
  layer.vector = VectorCall{.kernel = kernel, .bytes = elements * width, .width = width, .row = row};
}

Layer gemm(double flops, const Sizes& size, double width, const MatmulShape& product) {
  Layer layer = with_sizes(size, width);
  set_flops(layer, flops, flops, flops);
  layer.engine = LayerEngine::matrix;
  layer.products = 1;
  layer.product = product;
  return layer;
}

/// A batched product whose second result, or second operand, stays in the kernel.
Layer fused_product(const FusedHeads& heads) {
  const double flops = 2 * heads.count * heads.seq * heads.keys * heads.size;
  Layer layer;
  set_flops(layer, flops, 2 * flops, 0);
  layer.engine = LayerEngine::matrix;
  return layer;
}

}  // namespace

Layer linear(double tokens, double inputs, double outputs, double width) {
  const double in = tokens * inputs;
  const double out = tokens * outputs;
  return gemm(2 * in * outputs, {in, out, inputs * outputs, in, out}, width, {tokens, outputs, inputs});
}

Layer batched_matmul(double count, double m, double n, double k, double width, double sharing) {
  const double in = count * (m * n + n * k / sharing);
  const double out = count * m * k;
  Layer layer = with_sizes({in, out, 0, in, out}, width);
  layer.engine = LayerEngine::matrix;
  const double flops = 2 * out * n;
  set_flops(layer, flops, 2 * flops, 0);
  layer.batch = count;
  layer.product = {m, k, n};
  return layer;
}

Layer layer_norm(double elements, double hidden, double width) {
  Layer layer = with_sizes({elements, elements, 2 * hidden, elements, elements}, width);
  set_flops(layer, 9 * elements, 14 * elements, 7 * elements);
  set_kernel(layer, VectorKernel::layer_norm, elements, hidden, width);
  return layer;
}

Layer softmax(double elements, double row, double width) {
  Layer layer = with_sizes({elements, elements, 0, elements, elements}, width);
  set_flops(layer, 5 * elements, 8 * elements, 0);
  set_kernel(layer, VectorKernel::softmax, elements, row, width);
  return layer;
}

Layer dropout(double elements, double width) {
  Layer layer = with_sizes({elements, elements, 0, elements, elements}, width);
  set_flops(layer, elements, elements, 0);
  layer.activation_bytes = layer.gradient_bytes = elements;  // the mask: one byte an element
  layer.fw_bytes = layer.agrad_bytes = 2 * elements * width + elements;
  set_kernel(layer, VectorKernel::dropout, elements, 0, width);
  return layer;
}

Layer gelu(double elements, double width, bool fused) {
  Layer layer = with_sizes({elements, elements, 0, elements, elements}, width);
  set_flops(layer, 8 * elements, 13 * elements, 0);
  if (fused) layer.activation_bytes = layer.gradient_bytes = 0;
  set_kernel(layer, VectorKernel::gelu, elements, 0, width);
  return layer;
}

Layer residual(double elements, double width) {
  Layer layer = with_sizes({2 * elements, elements, 0, 2 * elements, elements}, width);
  set_flops(layer, elements, 2 * elements, 0);
  set_kernel(layer, VectorKernel::residual_add, elements, 0, width);
  return layer;
}

Layer fork(double elements, double users, double width) {
  Layer layer = with_sizes({elements, 0, 0, elements, 0}, width);
  layer.agrad_flops = users * elements;
  layer.fw_bytes = 0;
  layer.agrad_bytes = elements * width * (users + 1);
  return layer;
}

Layer in_registers(Layer layer) {
  layer.fw_bytes = layer.agrad_bytes = layer.output_bytes = 0;
  layer.activation_bytes = layer.gradient_bytes = 0;
  layer.vector.reset();
  return layer;
}

// Backward: queries and keys are read, their gradients written.
Layer fused_scores(const FusedHeads& heads, double width, double sharing) {
  Layer layer = fused_product(heads);
  const double rows = heads.count * heads.seq;
  const double operands = rows * heads.size * (1 + 1 / sharing) * width;
  layer.fw_bytes = operands;
  layer.agrad_bytes = 2 * operands;
  layer.activation_bytes = operands + rows * 8;
  return layer;
}

// Backward: values and the gradient of the result are read, that of the values is written.
Layer fused_values(const FusedHeads& heads, double width, double sharing) {
  Layer layer = fused_product(heads);
  const double result = heads.count * heads.seq * heads.size * width;
  const double values = result / sharing;
  layer.fw_bytes = values + result;
  layer.agrad_bytes = 2 * values + result;
  layer.output_bytes = layer.gradient_bytes = result;
  layer.activation_bytes = values;
  return layer;
}

// One key serves all heads; a row's scores are summed over them in the kernel.
Layer index_scores(const FusedHeads& heads, double width) {
  Layer layer = fused_product(heads);
  const double rows = heads.count * heads.seq;
  layer.fw_bytes = rows * heads.size * width;
  layer.agrad_bytes = 2 * layer.fw_bytes;
  layer.activation_bytes = layer.fw_bytes;
  return layer;
}

// Per token and head: a row of a causal chunk x chunk product with values (chunk head_size), the state's
// update and its product with a query (2 x 2 head_size state_size); per group: queries by keys (chunk
// state_size). T. Dao, A. Gu, "Transformers are SSMs", section 6. The backward pass does twice as much, after
// making the states again.
Layer scan(const Scan& s, double width) {
  Layer layer;
  const double a_token =
      s.heads * s.head_size * (s.chunk + 4 * s.state_size) + s.groups * s.chunk * s.state_size;
  set_flops(layer, s.tokens * a_token, 3 * s.tokens * a_token, 0);
  layer.engine = LayerEngine::matrix;
  const double values = s.tokens * s.heads * s.head_size * width;
  const double keys = 2 * s.tokens * s.groups * s.state_size * width;
  const double states = s.tokens / s.chunk * s.heads * s.head_size * s.state_size * 4;
  layer.fw_bytes = 2 * values + keys + 2 * states;
  layer.agrad_bytes = 3 * values + 2 * keys + 4 * states;
  layer.output_bytes = layer.gradient_bytes = values;
  layer.activation_bytes = values + keys;
  return layer;
}

Layer short_convolution(double tokens, double columns, double taps, double width) {
  const double elements = tokens * columns;
  Layer layer = with_sizes({elements, elements, taps * columns, elements, elements}, width);
  set_flops(layer, (2 * taps + 8) * elements, (2 * taps + 13) * elements, 2 * taps * elements);
  return layer;
}

// The activation's 8 and 13 FLOP, and a product: 1 forward, 2 backward.
Layer gated_activation(double elements, double width, bool fused) {
  Layer layer = with_sizes({2 * elements, elements, 0, 2 * elements, elements}, width);
  set_flops(layer, 9 * elements, 15 * elements, 0);
  if (fused) layer.activation_bytes = layer.gradient_bytes = 0;
  return layer;
}

Layer expert_linear(double experts, double tokens, double inputs, double outputs, double width) {
  const double in = experts * tokens * inputs;
  const double out = experts * tokens * outputs;
  Layer layer = gemm(2 * in * outputs, {in, out, experts * inputs * outputs, in, out}, width,
                     {tokens, outputs, inputs});
  layer.of_experts = true;
  layer.products = experts;
  return layer;
}

// Backward: a gradient is read, and a row of fp32 sums read and written.
Layer embedding(double tokens, double hidden, double rows, double width) {
  const double found = tokens * hidden;
  Layer layer;
  layer.wgrad_flops = found;
  layer.weights = rows * hidden;
  layer.fw_bytes = 2 * found * width;
  layer.wgrad_bytes = found * (width + 8);
  return layer;
}

Layer dispatch(double elements, double width) {
  Layer layer;
  layer.exchange = Exchange::dispatch;
  layer.exchange_bytes = elements * width;
  layer.fw_bytes = layer.agrad_bytes = 2 * layer.exchange_bytes;
  return layer;
}

Layer context_begins() { return context_exchange(0); }

Layer context_exchange(double bytes) {
  Layer layer;
  layer.exchange = Exchange::context;
  layer.exchange_bytes = bytes;
  return layer;
}

// Forward: inputs are read and written narrow, and read again. Backward the same of the outputs' gradients,
// whose cast serves both products; weights are kept narrow, and their gradients are not.
Layer Layer::with_operands(double width, double narrow) const {
  Layer cast = *this;
  const double share = narrow / width, weight_bytes = weights * width;
  const double in = fw_bytes - output_bytes - weight_bytes, out = output_bytes;
  cast.fw_cast_bytes = in * (1 + share);
  cast.agrad_cast_bytes = out * (1 + share);
  cast.fw_bytes = cast.fw_cast_bytes + in * share + weight_bytes * share + out;
  cast.agrad_bytes = cast.agrad_cast_bytes + out * share + weight_bytes * share + in;
  if (wgrad_bytes > 0) cast.wgrad_bytes = (in + out) * share + weight_bytes;
  return cast;
}

Layer Layer::piece(double pieces, double width) const {
  Layer cut = *this;
  const double weight_bytes = weights * width;
  for (double Layer::* const bytes : {&Layer::fw_bytes, &Layer::agrad_bytes, &Layer::wgrad_bytes})
    cut.*bytes = (this->*bytes - weight_bytes) / pieces + weight_bytes;
  for (double Layer::* const flops : {&Layer::fw_flops, &Layer::agrad_flops, &Layer::wgrad_flops})
    cut.*flops /= pieces;
  cut.fw_cast_bytes /= pieces;
  cut.agrad_cast_bytes /= pieces;
  cut.product.m /= pieces;
  return cut;
}

Layer exchange_layer(const Tensors& tensors, Exchange exchange) {
  Layer layer;
  const double t = tensors.tensor_par;
  if (t == 1) return layer;
  const bool reduces = exchange == Exchange::reduce;
  const double elements = tensors.tokens * tensors.hidden;
  const double bytes = elements * tensors.width;
  const double additions = elements * (t - 1) / t;
  const bool split = tensors.sequence_parallel;
  layer.exchange = exchange;
  layer.exchange_bytes = layer.output_bytes = bytes;
  layer.fw_flops = reduces ? additions : 0;
  layer.agrad_flops = reduces ? 0 : additions;
  layer.fw_bytes = split || reduces ? 2 * bytes : 0;
  layer.agrad_bytes = split || !reduces ? 2 * bytes : 0;
  layer.activation_bytes = split ? bytes / t : reduces ? bytes : 0;
  layer.gradient_bytes = split ? bytes / t : reduces ? 0 : bytes;
  return layer;
}

namespace {

Layer tiled(Layer gemm, Exchange exchange, double exchange_bytes, const Tensors& tensors) {
  gemm.exchange = exchange;
  gemm.exchange_bytes = exchange_bytes;
  gemm.tiled = true;
  if (tensors.whole_gradients) gemm.agrad_bytes = gemm.wgrad_bytes = gemm.fw_bytes;
  return gemm;
}

}  // namespace

Layer tiled_column_gemm(const Tensors& tensors, double outputs) {
  const auto [tokens, hidden, width, t, split, whole] = tensors;
  const double in = tokens * hidden;
  const double out = tokens * outputs / t;
  const double kept = split ? std::floor(in / t) : in;
  const Layer layer = gemm(2 * in * outputs / t, {in, out, hidden * outputs / t, kept, split ? out : 0},
                           width, {tokens, outputs / t, hidden});
  return tiled(layer, Exchange::gather, in * width, tensors);
}

Layer tiled_row_gemm(const Tensors& tensors, double inputs) {
  const auto [tokens, hidden, width, t, split, whole] = tensors;
  const double in = tokens * inputs / t;
  const double out = tokens * hidden;
  const double gradient = 2 * (split ? std::floor(out / t) : out);
  const Layer layer = gemm(2 * out * inputs / t, {in, out, inputs * hidden / t, split ? in : 0, gradient},
                           width, {tokens, hidden, inputs / t});
  return tiled(layer, Exchange::reduce, out * width, tensors);
}

}  // namespace assay::model
