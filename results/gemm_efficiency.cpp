// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/gemm_efficiency.hpp"

#include <algorithm>
#include <cmath>

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

BlockEfficiency& block_for(std::vector<BlockEfficiency>& blocks, const StoredPoint& point,
                           std::int64_t degree) {
  const Fields group = group_of(point.axes);
  const auto found = std::find_if(blocks.begin(), blocks.end(), [&](const BlockEfficiency& block) {
    return block.tensor_parallel == degree && block.back_end == point.back_end() && block.group == group;
  });
  if (found != blocks.end()) return *found;
  blocks.push_back(
      {.back_end = point.back_end(), .group = group, .tensor_parallel = degree, .layers = {}, .missing = {}});
  return blocks.back();
}

void complete(BlockEfficiency& block) {
  std::vector<LayerEfficiency> ordered;
  for (const auto& name : block_layers) {
    const auto found = std::find_if(block.layers.begin(), block.layers.end(),
                                    [&](const LayerEfficiency& layer) { return layer.layer == name; });
    if (found != block.layers.end())
      ordered.push_back(*found);
    else
      block.missing.push_back(name);
  }
  block.layers = std::move(ordered);
}

Fields with_pass(Fields group, const std::string& pass) {
  for (auto& [name, value] : group)
    if (name == "pass") value = pass;
  return group;
}

/// The three passes at one degree as one block, where all of them are whole.
std::optional<BlockEfficiency> all_passes(const std::vector<BlockEfficiency>& blocks,
                                          const BlockEfficiency& forward) {
  BlockEfficiency all = forward;
  all.group = with_pass(forward.group, "all");
  std::vector<std::vector<LayerEfficiency>> by_layer(block_layers.size());
  for (const auto& pass : training_passes) {
    const Fields group = with_pass(forward.group, pass);
    const auto found = std::find_if(blocks.begin(), blocks.end(), [&](const BlockEfficiency& block) {
      return block.tensor_parallel == forward.tensor_parallel && block.back_end == forward.back_end &&
             block.group == group && block.missing.empty();
    });
    if (found == blocks.end()) return std::nullopt;
    for (std::size_t i = 0; i < by_layer.size(); ++i) by_layer[i].push_back(found->layers[i]);
  }
  for (std::size_t i = 0; i < by_layer.size(); ++i) all.layers[i] = sum_of(by_layer[i], block_layers[i]);
  return all;
}

void sort_by_group_then_degree(std::vector<BlockEfficiency>& blocks) {
  std::vector<std::pair<std::string, Fields>> order;
  const auto place = [&](const BlockEfficiency& block) {
    const std::pair identity(block.back_end, block.group);
    const auto found = std::find(order.begin(), order.end(), identity);
    if (found != order.end()) return found - order.begin();
    order.push_back(identity);
    return static_cast<std::ptrdiff_t>(order.size()) - 1;
  };
  std::vector<std::pair<std::pair<std::ptrdiff_t, std::int64_t>, BlockEfficiency>> placed;
  for (auto& block : blocks) placed.push_back({{place(block), block.tensor_parallel}, std::move(block)});
  std::stable_sort(placed.begin(), placed.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  blocks.clear();
  for (auto& [key, block] : placed) blocks.push_back(std::move(block));
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
  std::vector<BlockEfficiency> blocks;
  std::vector<StoredPoint> transformer;
  for (const StoredPoint& point : points)
    if (point.benchmark() == "transformer") transformer.push_back(point);
  for (const StoredPoint& point : transformer)  // a block without any ok point still says what it lacks
    if (const auto degree = field_integer(point.axes, degree_names)) block_for(blocks, point, *degree);
  for (const StoredPoint& point : combine_repetitions(std::move(transformer)))
    if (const auto degree = field_integer(point.axes, degree_names))
      block_for(blocks, point, *degree).layers.push_back(layer_of(point));
  for (BlockEfficiency& block : blocks) complete(block);
  const std::size_t count = blocks.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (field_text(blocks[i].group, {"pass"}) != "forward") continue;
    if (auto all = all_passes(blocks, blocks[i])) blocks.push_back(std::move(*all));
  }
  sort_by_group_then_degree(blocks);
  return blocks;
}

std::string group_text(const Fields& group) {
  std::string text;
  for (const auto& [name, value] : group) {
    const bool is_word = std::holds_alternative<std::string>(value);
    text += (text.empty() ? "" : ", ") + (is_word ? "" : name + " ") + scalar_text(value);
  }
  return text;
}

}  // namespace assay::results
