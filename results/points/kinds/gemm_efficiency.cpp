// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/points/kinds/gemm_efficiency.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include "harness/core/in_order.hpp"
#include "results/store/repetitions.hpp"

namespace assay::results {
namespace {

const std::vector<std::string> degree_names{"tp", "tensor_parallel"};
const std::vector<std::string> layer_names{"gemm", "layer"};
const std::vector<std::string> block_layers{"qkv", "attention_output", "up_gate", "down"};
const std::vector<std::string> training_passes{"forward", "dgrad", "wgrad"};

bool is_one_of(const std::string& word, const std::vector<std::string>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

Fields group_of(const Fields& axes) {
  Fields group;
  for (const auto& axis : axes)
    if (!is_one_of(axis.first, degree_names) && !is_one_of(axis.first, layer_names)) group.push_back(axis);
  return group;
}

LayerEfficiency sum_of(const std::vector<LayerEfficiency>& layers, const std::string& name) {
  LayerEfficiency sum{.layer = name, .flops = 0, .time_s = {0, 0.0, 0.0}, .least_s = 0, .n = 0};
  for (const LayerEfficiency& layer : layers) {
    sum.flops += layer.flops;
    sum.time_s.value += layer.time_s.value;
    *sum.time_s.lower += layer.time_s.lower.value_or(layer.time_s.value);
    *sum.time_s.upper += layer.time_s.upper.value_or(layer.time_s.value);
    sum.least_s += layer.least_s;
    sum.n += layer.n;
  }
  return sum;
}

LayerEfficiency layer_of(const StoredPoint& point) {
  return {.layer = field_text(point.axes, layer_names),
          .flops = point.work_flops,
          .time_s = {point.time_s, point.lower_s, point.upper_s},
          .least_s = point.efficiency ? point.time_s * point.efficiency->value : NAN,
          .n = point.n};
}

using BlockKey = std::tuple<std::string, Fields, std::int64_t>;  // back end, group, degree
using LayersByBlock = core::InOrder<BlockKey, std::vector<LayerEfficiency>>;

BlockEfficiency block_of(const BlockKey& key, const std::vector<LayerEfficiency>& layers) {
  const auto& [back_end, group, degree] = key;
  BlockEfficiency block{
      .back_end = back_end, .group = group, .tensor_parallel = degree, .layers = {}, .missing = {}};
  for (const auto& name : block_layers) {
    const auto found = std::ranges::find(layers, name, &LayerEfficiency::layer);
    if (found != layers.end())
      block.layers.push_back(*found);
    else
      block.missing.push_back(name);
  }
  return block;
}

Fields with_pass(Fields group, const std::string& pass) {
  for (auto& [name, value] : group)
    if (name == "pass") value = pass;
  return group;
}

/// The three passes at one degree as one block, where all of them are whole.
std::optional<BlockEfficiency> all_passes(LayersByBlock& measured, const BlockEfficiency& forward) {
  BlockEfficiency all = forward;
  all.group = with_pass(forward.group, "all");
  std::vector<std::vector<LayerEfficiency>> by_layer(block_layers.size());
  for (const auto& pass : training_passes) {
    const BlockKey key{forward.back_end, with_pass(forward.group, pass), forward.tensor_parallel};
    const BlockEfficiency found = block_of(key, measured[key]);
    if (!found.missing.empty()) return std::nullopt;
    for (std::size_t i = 0; i < by_layer.size(); ++i) by_layer[i].push_back(found.layers[i]);
  }
  for (std::size_t i = 0; i < by_layer.size(); ++i) all.layers[i] = sum_of(by_layer[i], block_layers[i]);
  return all;
}

std::vector<BlockEfficiency> by_group_then_degree(std::vector<BlockEfficiency> blocks) {
  core::InOrder<std::pair<std::string, Fields>, std::map<std::int64_t, BlockEfficiency>> groups;
  for (BlockEfficiency& block : blocks)
    groups[{block.back_end, block.group}].emplace(block.tensor_parallel, std::move(block));
  std::vector<BlockEfficiency> sorted;
  for (auto& [group, by_degree] : groups.take())
    for (auto& [degree, block] : by_degree) sorted.push_back(std::move(block));
  return sorted;
}

}  // namespace

std::optional<Number> LayerEfficiency::efficiency() const {
  if (!std::isfinite(least_s) || !(time_s.value > 0)) return std::nullopt;
  Number number{least_s / time_s.value};
  if (time_s.upper && *time_s.upper > 0) number.lower = least_s / *time_s.upper;
  if (time_s.lower && *time_s.lower > 0) number.upper = least_s / *time_s.lower;
  return number;
}

Number LayerEfficiency::tflops() const {
  Number number{flops / time_s.value * 1e-12};
  if (time_s.upper) number.lower = flops / *time_s.upper * 1e-12;
  if (time_s.lower) number.upper = flops / *time_s.lower * 1e-12;
  return number;
}

std::optional<LayerEfficiency> BlockEfficiency::block() const {
  if (!missing.empty() || layers.empty()) return std::nullopt;
  return sum_of(layers, "block");
}

std::vector<BlockEfficiency> block_efficiencies(const std::vector<StoredPoint>& points) {
  std::vector<StoredPoint> transformer;
  for (const StoredPoint& point : points)
    if (point.benchmark() == "transformer" && field_integer(point.axes, degree_names))
      transformer.push_back(point);
  LayersByBlock measured;
  const auto layers_of = [&](const StoredPoint& point) -> std::vector<LayerEfficiency>& {
    return measured[{point.back_end(), group_of(point.axes), *field_integer(point.axes, degree_names)}];
  };
  for (const StoredPoint& point : transformer)
    layers_of(point);  // without any ok point it still says what it lacks
  for (const StoredPoint& point : combine_repetitions(std::move(transformer)))
    layers_of(point).push_back(layer_of(point));
  std::vector<BlockEfficiency> blocks, all;
  for (const auto& [key, layers] : measured) blocks.push_back(block_of(key, layers));
  for (const BlockEfficiency& block : blocks)
    if (field_text(block.group, {"pass"}) == "forward")
      if (auto whole = all_passes(measured, block)) all.push_back(std::move(*whole));
  std::ranges::move(all, std::back_inserter(blocks));
  return by_group_then_degree(std::move(blocks));
}

std::string group_text(const Fields& group) {
  std::string text;
  for (const auto& [name, value] : group) {
    const bool is_clear = std::holds_alternative<std::string>(value) && name != "isa";  // "best" alone is not
    text += (text.empty() ? "" : ", ") + (is_clear ? "" : name + " ") + scalar_text(value);
  }
  return text;
}

}  // namespace assay::results
