// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/points/gemm_efficiency.hpp"

#include <algorithm>
#include <cmath>
#include <map>

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

/// A group as one word: equal groups, equal words.
std::string block_identity(const std::string& back_end, const Fields& group) {
  std::string identity = back_end;
  for (const auto& [name, value] : group)
    identity.append(1, '\n').append(name).append(1, '=').append(scalar_text(value));
  return identity;
}

/// Blocks by group and degree, in order of appearance.
class BlockList {
 public:
  BlockEfficiency& at(const std::string& back_end, const Fields& group, std::int64_t degree) {
    const auto [place, is_new] =
        places_.try_emplace({block_identity(back_end, group), degree}, blocks.size());
    if (is_new)
      blocks.push_back(
          {.back_end = back_end, .group = group, .tensor_parallel = degree, .layers = {}, .missing = {}});
    return blocks[place->second];
  }
  const BlockEfficiency* find(const std::string& back_end, const Fields& group, std::int64_t degree) const {
    const auto place = places_.find({block_identity(back_end, group), degree});
    return place == places_.end() ? nullptr : &blocks[place->second];
  }
  std::vector<BlockEfficiency> blocks;

 private:
  std::map<std::pair<std::string, std::int64_t>, std::size_t> places_;
};

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
std::optional<BlockEfficiency> all_passes(const BlockList& list, const BlockEfficiency& forward) {
  BlockEfficiency all = forward;
  all.group = with_pass(forward.group, "all");
  std::vector<std::vector<LayerEfficiency>> by_layer(block_layers.size());
  for (const auto& pass : training_passes) {
    const auto* found = list.find(forward.back_end, with_pass(forward.group, pass), forward.tensor_parallel);
    if (!found || !found->missing.empty()) return std::nullopt;
    for (std::size_t i = 0; i < by_layer.size(); ++i) by_layer[i].push_back(found->layers[i]);
  }
  for (std::size_t i = 0; i < by_layer.size(); ++i) all.layers[i] = sum_of(by_layer[i], block_layers[i]);
  return all;
}

std::vector<BlockEfficiency> by_group_then_degree(std::vector<BlockEfficiency> blocks) {
  std::map<std::string, std::size_t> order;
  std::vector<std::vector<BlockEfficiency>> groups;
  for (BlockEfficiency& block : blocks) {
    const auto [place, is_new] =
        order.try_emplace(block_identity(block.back_end, block.group), groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].push_back(std::move(block));
  }
  std::vector<BlockEfficiency> sorted;
  for (auto& group : groups) {
    std::stable_sort(group.begin(), group.end(),
                     [](const auto& a, const auto& b) { return a.tensor_parallel < b.tensor_parallel; });
    for (auto& block : group) sorted.push_back(std::move(block));
  }
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
  BlockList list;
  std::vector<StoredPoint> transformer;
  for (const StoredPoint& point : points)
    if (point.benchmark() == "transformer" && field_integer(point.axes, degree_names))
      transformer.push_back(point);
  const auto block_of = [&](const StoredPoint& point) -> BlockEfficiency& {
    return list.at(point.back_end(), group_of(point.axes), *field_integer(point.axes, degree_names));
  };
  for (const StoredPoint& point : transformer)
    block_of(point);  // without any ok point it still says what it lacks
  for (const StoredPoint& point : combine_repetitions(std::move(transformer)))
    block_of(point).layers.push_back(layer_of(point));
  for (BlockEfficiency& block : list.blocks) complete(block);
  std::vector<BlockEfficiency> blocks = list.blocks;
  for (const BlockEfficiency& block : list.blocks) {
    if (field_text(block.group, {"pass"}) != "forward") continue;
    if (auto all = all_passes(list, block)) blocks.push_back(std::move(*all));
  }
  return by_group_then_degree(std::move(blocks));
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
