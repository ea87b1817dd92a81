// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/file/operation_sections.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/training/workload_sections.hpp"

namespace assay::model::fabric {

namespace {

using training::OperationKeys;

constexpr auto step_words = core::words_of<AllToAllSteps>("by_window", "at_once", "pairwise");

/// The patterns of a collective are named ALGORITHM_COLLECTIVE.
std::vector<std::string_view> algorithms_of(std::string_view collective) {
  const std::string ending = "_" + std::string(collective);
  std::vector<std::string_view> algorithms;
  for (const Pattern& one : patterns())
    if (one.name.ends_with(ending)) algorithms.push_back(one.name.substr(0, one.name.size() - ending.size()));
  return algorithms;
}

/// Algorithms that are phases of messages to several ranks (phases.hpp).
void take_phases(const core::TomlSection& section, const OperationKeys& keys, Operation& operation) {
  operation.kind =
      operation.algorithm == "double_tree" ? OperationKind::double_tree : OperationKind::hierarchical;
  if (operation.kind == OperationKind::double_tree && section.has("across"))
    section.refuse("across", "expected only with the algorithm hierarchical");
  const std::vector<std::string_view> across = algorithms_of(operation.collective);
  const std::string name = keys.across.empty() ? "ring" : keys.across;
  if (std::ranges::find(across, name) == across.end()) section.refuse_choice("across", name, across);
  operation.pattern = &pattern(name + "_" + operation.collective);
}

void take_all_to_all(const core::TomlSection& section, Operation& operation) {
  operation.kind = OperationKind::all_to_all;
  operation.all_to_all_steps = section.choice("algorithm", step_words).value_or(AllToAllSteps::by_window);
  if (section.has("algorithm")) operation.algorithm = step_words.of(operation.all_to_all_steps);
}

/// The blocks of an all_to_all_v: of a matrix, or drawn, where bytes are a rank's blocks in the mean.
void take_blocks(const OperationKeys& keys, Operation& operation) {
  operation.blocks = BlockSizes::matrix;
  operation.algorithm = "by " + keys.matrix_file;
  if (keys.distribution.empty()) return;
  operation.blocks = keys.distribution == "zipf" ? BlockSizes::zipf : BlockSizes::exponential;
  operation.algorithm = keys.distribution;
  operation.seed = keys.seed.value_or(1);
}

void take_collective(const core::TomlSection& section, const OperationKeys& keys, Operation& operation) {
  operation.collective = keys.collective;
  if (operation.collective.starts_with("all_to_all")) {
    take_all_to_all(section, operation);
    if (operation.collective == "all_to_all_v") take_blocks(keys, operation);
    return;
  }
  std::vector<std::string_view> algorithms = algorithms_of(operation.collective);
  operation.kind = OperationKind::collective;
  operation.algorithm = keys.algorithm.empty() ? std::string(algorithms.front()) : keys.algorithm;
  const bool reduces_all = operation.collective == "all_reduce";
  if (reduces_all && (operation.algorithm == "double_tree" || operation.algorithm == "hierarchical"))
    return take_phases(section, keys, operation);
  if (section.has("across")) section.refuse("across", "expected only with the algorithm hierarchical");
  if (reduces_all) algorithms.insert(algorithms.end(), {"double_tree", "hierarchical"});
  if (std::ranges::find(algorithms, operation.algorithm) == algorithms.end())
    section.refuse_choice("algorithm", operation.algorithm, algorithms);
  operation.pattern = &pattern(operation.algorithm + "_" + operation.collective);
}

void take_pattern(const core::TomlSection& section, const OperationKeys& keys, Operation& operation) {
  switch (*section.choice("pattern", pattern_words)) {
    case PatternWord::incast:
      operation.kind = OperationKind::incast;
      break;
    case PatternWord::permutation:
      operation.kind = OperationKind::permutation;
      operation.seed = keys.seed.value_or(1);
      break;
    case PatternWord::shift:
      operation.kind = OperationKind::shift;
      operation.by = keys.by.value_or(1);
      break;
    case PatternWord::pipeline:
      operation.kind = OperationKind::pipeline;
      break;
    case PatternWord::all_to_all:
      operation.kind = OperationKind::all_to_all;
      operation.all_to_all_steps = AllToAllSteps::at_once;
      break;
  }
  operation.collective = keys.pattern;
}

}  // namespace

Operation read_operation(const core::TomlSection& section, RankRange ranks) {
  OperationKeys keys = training::read_operation_keys(section, ranks.count);
  Operation operation{.name = keys.name,
                      .among = keys.among,
                      .where = section.where(""),
                      .matrix = keys.matrix,
                      .groups = std::move(keys.groups),
                      .bytes = keys.bytes,
                      .compute_us = keys.compute_us.value_or(0),
                      .times = keys.times};
  if (!keys.collective.empty()) take_collective(section, keys, operation);
  if (!keys.pattern.empty()) take_pattern(section, keys, operation);
  for (RankGroup& group : operation.groups) {
    if (operation.kind == OperationKind::shift && operation.by % group.size() == 0)
      section.refuse("by", fmt::format("a shift by {} in a group of {} sends nothing: expected less than {}",
                                       operation.by, group.size(), group.size()));
    for (std::uint32_t& rank : group) rank += ranks.first;
  }
  return operation;
}

}  // namespace assay::model::fabric
