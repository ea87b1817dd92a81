// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/training/presets.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>

#include "harness/core/error.hpp"
#include "harness/core/units.hpp"
#include "harness/training/preset_makers.hpp"
#include "harness/training/rank_groups.hpp"

namespace assay::training {
namespace {

template <class List>
std::vector<std::string_view> names_of(const List& all) {
  std::vector<std::string_view> names;
  for (const auto& one : all) names.push_back(one.name);
  return names;
}

double number_of(const PresetKey& key, const std::string& text) {
  if (key.is_size) return static_cast<double>(core::parse_bytes(text));
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < key.least || number > key.most)
    refuse(key.name,
           fmt::format("expected a whole number from {} to {}, got '{}'", key.least, key.most, text));
  return number;
}

/// Returns the key.
std::string take(const Preset& preset, const std::string& text, PresetInput& input) {
  const std::size_t equals = std::min(text.find('='), text.size());
  const std::string name = text.substr(0, equals);
  const auto key = std::ranges::find(preset.keys, std::string_view(name), &PresetKey::name);
  if (key == preset.keys.end() || equals == text.size())
    core::usage_error(fmt::format("'{}': expected KEY=VALUE of {}: {}", text, preset.name,
                                  fmt::join(names_of(preset.keys), ", ")));
  input.numbers[name] = number_of(*key, text.substr(equals + 1));
  return name;
}

}  // namespace

void refuse(std::string_view key, const std::string& what) {
  core::usage_error(fmt::format("{}: {}", key, what));
}

std::string groups_of(const PresetInput& input, std::string_view key, std::uint32_t stride,
                      std::uint32_t size) {
  const std::uint64_t row = std::uint64_t{stride} * size;
  if (row == 0 || input.ranks % row != 0)
    refuse(key, fmt::format("{} ranks do not divide into groups of {}{}", input.ranks, size,
                            stride > 1 ? fmt::format(" with a stride of {}", stride) : ""));
  const std::array levels{GroupLevel{stride, size}};
  return groups_text(input.ranks, levels);
}

double compute_s(const PresetInput& input, double flops) { return flops / (1e12 * input.at("tflops")); }

double vocabulary_parameters(const PresetInput& input) {
  return input.at("vocabulary") * static_cast<double>(input.model.hidden);
}

double head_s(const PresetInput& input, double tokens) {
  return compute_s(input, 2 * tokens * vocabulary_parameters(input));
}

StepOperation compute(std::string name, double seconds, double times) {
  return {.name = std::move(name), .compute_s = seconds, .times = times};
}

std::span<const Preset> presets() {
  static const std::array all{ddp_preset(), fsdp_preset(), megatron_preset(), experts_preset(),
                              recommendation_preset()};
  return all;
}

const Preset& preset(std::string_view name) {
  const auto found = std::ranges::find(presets(), name, &Preset::name);
  if (found == presets().end())
    core::usage_error(
        fmt::format("'{}' is not a preset: expected {}", name, fmt::join(names_of(presets()), ", ")));
  return *found;
}

TrainingStep preset_step(const Preset& preset, std::uint32_t ranks, const workload::Transformer& model,
                         std::span<const std::string> numbers) {
  PresetInput input{.ranks = ranks, .model = model};
  for (const PresetKey& key : preset.keys) input.numbers[std::string(key.name)] = key.value;
  std::set<std::string, std::less<>> stated;
  for (const std::string& text : numbers)
    if (!stated.insert(take(preset, text, input)).second)
      core::usage_error(fmt::format("'{}': expected each key once, and this one is there before", text));
  TrainingStep step = preset.make(input);
  step.ranks = ranks;
  step.name = preset.has_blocks ? fmt::format("{} of {}", preset.name, model.name) : std::string(preset.name);
  if (step.streams.empty()) refuse(preset.name, "neither compute nor exchanges are left");
  return step;
}

double feed_forward_parameters(const workload::Transformer& model) {
  return (model.gated ? 3.0 : 2.0) * static_cast<double>(model.hidden) *
         static_cast<double>(model.feed_forward);
}

double block_parameters(const workload::Transformer& model) {
  const auto projected = static_cast<double>((2 * model.heads + 2 * model.kv_heads) * model.head_size);
  return static_cast<double>(model.hidden) * projected + feed_forward_parameters(model);
}

double block_flops(const workload::Transformer& model, double tokens, double sequence) {
  return tokens *
         (2 * block_parameters(model) + 4 * sequence * static_cast<double>(model.heads * model.head_size));
}

}  // namespace assay::training
