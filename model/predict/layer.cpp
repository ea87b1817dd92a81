// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/layer.hpp"

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

Layer with_flops(Layer layer, double forward, double activation_gradient, double weight_gradient) {
  layer.fw_flops = forward;
  layer.agrad_flops = activation_gradient;
  layer.wgrad_flops = weight_gradient;
  return layer;
}

Layer gemm(double flops, const Sizes& size, double width) {
  Layer layer = with_flops(with_sizes(size, width), flops, flops, flops);
  layer.engine = LayerEngine::matrix;
  return layer;
}

}  // namespace

Layer linear(double tokens, double inputs, double outputs, double width) {
  const double in = tokens * inputs;
  const double out = tokens * outputs;
  return gemm(2 * in * outputs, {in, out, inputs * outputs, in, out}, width);
}

Layer batched_matmul(double count, double m, double n, double k, double width) {
  const double in = count * (m * n + n * k);
  const double out = count * m * k;
  Layer layer = with_sizes({in, out, 0, in, out}, width);
  layer.engine = LayerEngine::matrix;
  const double flops = 2 * out * n;
  return with_flops(layer, flops, 2 * flops, 0);
}

Layer layer_norm(double elements, double hidden, double width) {
  return with_flops(with_sizes({elements, elements, 2 * hidden, elements, elements}, width), 9 * elements,
                    14 * elements, 7 * elements);
}

Layer softmax(double elements, double width) {
  return with_flops(with_sizes({elements, elements, 0, elements, elements}, width), 5 * elements,
                    8 * elements, 0);
}

Layer dropout(double elements, double width) {
  Layer layer =
      with_flops(with_sizes({elements, elements, 0, elements, elements}, width), elements, elements, 0);
  layer.activation_bytes = layer.gradient_bytes = elements;  // the mask: one byte an element
  layer.fw_bytes = layer.agrad_bytes = 2 * elements * width + elements;
  return layer;
}

Layer gelu(double elements, double width, bool fused) {
  Layer layer = with_flops(with_sizes({elements, elements, 0, elements, elements}, width), 8 * elements,
                           13 * elements, 0);
  if (fused) layer.activation_bytes = layer.gradient_bytes = 0;
  return layer;
}

Layer residual(double elements, double width) {
  return with_flops(with_sizes({2 * elements, elements, 0, 2 * elements, elements}, width), elements,
                    2 * elements, 0);
}

Layer fork(double elements, double users, double width) {
  Layer layer = with_flops(with_sizes({elements, 0, 0, elements, 0}, width), 0, users * elements, 0);
  layer.fw_bytes = 0;
  layer.agrad_bytes = elements * width * (users + 1);
  return layer;
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
  layer.output_bytes = bytes;
  layer.fw_flops = reduces ? additions : 0;
  layer.agrad_flops = reduces ? 0 : additions;
  layer.fw_bytes = split || reduces ? 2 * bytes : 0;
  layer.agrad_bytes = split || !reduces ? 2 * bytes : 0;
  layer.activation_bytes = split ? bytes / t : reduces ? bytes : 0;
  layer.gradient_bytes = split ? bytes / t : reduces ? 0 : bytes;
  return layer;
}

Layer tiled_column_gemm(const Tensors& tensors, double outputs) {
  const auto [tokens, hidden, width, t, split] = tensors;
  const double in = tokens * hidden;
  const double out = tokens * outputs / t;
  const double kept = split ? std::floor(in / t) : in;
  Layer layer = gemm(2 * in * outputs / t, {in, out, hidden * outputs / t, kept, split ? out : 0}, width);
  layer.exchange = Exchange::gather;
  layer.tiled = true;
  return layer;
}

Layer tiled_row_gemm(const Tensors& tensors, double inputs) {
  const auto [tokens, hidden, width, t, split] = tensors;
  const double in = tokens * inputs / t;
  const double out = tokens * hidden;
  const double gradient = 2 * (split ? std::floor(out / t) : out);
  Layer layer = gemm(2 * out * inputs / t, {in, out, inputs * hidden / t, split ? in : 0, gradient}, width);
  layer.exchange = Exchange::reduce;
  layer.tiled = true;
  return layer;
}

}  // namespace assay::model
