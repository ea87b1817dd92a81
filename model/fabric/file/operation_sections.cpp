// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/file/operation_sections.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "harness/core/error.hpp"

namespace assay::model::fabric {

namespace {

constexpr std::array<std::string_view, 7> collectives = {
    "all_reduce", "all_gather", "reduce_scatter", "all_to_all", "all_to_all_v", "broadcast", "reduce"};

enum class Distribution { exponential, zipf };
constexpr auto distribution_words = core::words_of<Distribution>("exponential", "zipf");
constexpr auto step_words = core::words_of<AllToAllSteps>("by_window", "at_once", "pairwise");

enum class PatternWord { incast, permutation, shift, pipeline, all_to_all };
constexpr auto pattern_words =
    core::words_of<PatternWord>("incast", "permutation", "shift", "pipeline", "all_to_all");

/// The patterns of a collective are named ALGORITHM_COLLECTIVE.
std::vector<std::string_view> algorithms_of(std::string_view collective) {
  const std::string ending = "_" + std::string(collective);
  std::vector<std::string_view> algorithms;
  for (const Pattern& one : patterns())
    if (one.name.ends_with(ending)) algorithms.push_back(one.name.substr(0, one.name.size() - ending.size()));
  return algorithms;
}

/// Algorithms that are phases of messages to several ranks (phases.hpp).
void take_phases(const core::TomlSection& section, Operation& operation) {
  operation.kind =
      operation.algorithm == "double_tree" ? OperationKind::double_tree : OperationKind::hierarchical;
  if (operation.kind == OperationKind::double_tree && section.has("across"))
    section.refuse("across", "expected only with the algorithm hierarchical");
  const std::vector<std::string_view> across = algorithms_of(operation.collective);
  const std::string name = section.word("across").value_or("ring");
  if (std::ranges::find(across, name) == across.end()) section.refuse_choice("across", name, across);
  operation.pattern = &pattern(name + "_" + operation.collective);
}

void take_all_to_all(const core::TomlSection& section, Operation& operation) {
  operation.kind = OperationKind::all_to_all;
  operation.all_to_all_steps = section.choice("algorithm", step_words).value_or(AllToAllSteps::by_window);
  if (section.has("algorithm")) operation.algorithm = step_words.of(operation.all_to_all_steps);
}

/// Reads the blocks of an all_to_all_v. Bytes are those of the matrix, or of a rank's blocks in the mean.
void take_blocks(const core::TomlSection& section, Operation& operation) {
  if (section.has("matrix") == section.has("distribution"))
    section.refuse("matrix", "expected either matrix, a CSV file, or distribution");
  if (const auto drawn = section.choice("distribution", distribution_words)) {
    operation.blocks = *drawn == Distribution::zipf ? BlockSizes::zipf : BlockSizes::exponential;
    operation.algorithm = distribution_words.of(*drawn);
    operation.seed = section.count("seed", 0).value_or(1);
    return;
  }
  for (const char* key : {"bytes", "seed"})
    if (section.has(key)) section.refuse(key, "expected only with a distribution: the matrix holds bytes");
  operation.blocks = BlockSizes::matrix;
  operation.matrix = std::make_shared<const BytesMatrix>(
      training::read_bytes_matrix(section.source().path_of(*section.word("matrix"))));
  operation.algorithm = "by " + *section.word("matrix");
  operation.bytes = training::most_sent(*operation.matrix);
  if (operation.bytes == 0) section.refuse("matrix", "no rank sends anything to another");
}

void take_collective(const core::TomlSection& section, Operation& operation) {
  operation.collective = *section.word("collective");
  if (std::ranges::find(collectives, operation.collective) == collectives.end())
    section.refuse_choice("collective", operation.collective, collectives);
  if (operation.collective.starts_with("all_to_all")) {
    take_all_to_all(section, operation);
    if (operation.collective == "all_to_all_v") take_blocks(section, operation);
    return;
  }
  std::vector<std::string_view> algorithms = algorithms_of(operation.collective);
  operation.kind = OperationKind::collective;
  operation.algorithm = section.word("algorithm").value_or(std::string(algorithms.front()));
  const bool reduces_all = operation.collective == "all_reduce";
  if (reduces_all && (operation.algorithm == "double_tree" || operation.algorithm == "hierarchical"))
    return take_phases(section, operation);
  if (section.has("across")) section.refuse("across", "expected only with the algorithm hierarchical");
  if (reduces_all) algorithms.insert(algorithms.end(), {"double_tree", "hierarchical"});
  if (std::ranges::find(algorithms, operation.algorithm) == algorithms.end())
    section.refuse_choice("algorithm", operation.algorithm, algorithms);
  operation.pattern = &pattern(operation.algorithm + "_" + operation.collective);
}

void take_pattern(const core::TomlSection& section, Operation& operation) {
  switch (*section.choice("pattern", pattern_words)) {
    case PatternWord::incast:
      operation.kind = OperationKind::incast;
      break;
    case PatternWord::permutation:
      operation.kind = OperationKind::permutation;
      operation.seed = section.count("seed", 0).value_or(1);
      break;
    case PatternWord::shift:
      operation.kind = OperationKind::shift;
      operation.by = section.count("by").value_or(1);
      break;
    case PatternWord::pipeline:
      operation.kind = OperationKind::pipeline;
      break;
    case PatternWord::all_to_all:
      operation.kind = OperationKind::all_to_all;
      operation.all_to_all_steps = AllToAllSteps::at_once;
      break;
  }
  operation.collective = *section.word("pattern");
}

void take_groups(const core::TomlSection& section, RankRange ranks, Operation& operation) {
  const std::vector<std::string> all = {fmt::format("0:{}", ranks.count)};
  const std::vector<std::string> texts = section.words("groups").value_or(all);
  try {
    operation.groups = training::rank_groups(texts, ranks.count);
  } catch (const core::Error& error) {
    section.refuse("groups", error.what());
  }
  for (RankGroup& group : operation.groups) {
    if (operation.kind == OperationKind::shift && operation.by % group.size() == 0)
      section.refuse("by", fmt::format("a shift by {} in a group of {} sends nothing: expected less than {}",
                                       operation.by, group.size(), group.size()));
    if (operation.matrix && operation.matrix->size() != group.size())
      section.refuse("matrix", fmt::format("of {} ranks for a group of {}: expected as many",
                                           operation.matrix->size(), group.size()));
    for (std::uint32_t& rank : group) rank += ranks.first;
  }
}

/// The ranks that compute, as the only group.
void take_ranks(const core::TomlSection& section, RankRange ranks, Operation& operation) {
  try {
    operation.groups = {training::listed_ranks(*section.word("on"), ranks.count)};
  } catch (const core::Error& error) {
    section.refuse("on", error.what());
  }
  for (std::uint32_t& rank : operation.groups.front()) rank += ranks.first;
}

std::vector<std::string_view> keys_of_collective(const core::TomlSection& section) {
  std::vector<std::string_view> keys = {"name",   "among", "collective", "algorithm",
                                        "groups", "bytes", "times"};
  if (section.word("collective") == "all_to_all_v")
    keys.insert(keys.end(), {"matrix", "distribution", "seed"});
  else
    keys.emplace_back("across");
  return keys;
}

}  // namespace

Operation read_operation(const core::TomlSection& section, RankRange ranks) {
  const int stated = static_cast<int>(section.has("compute_us")) +
                     static_cast<int>(section.has("collective")) + static_cast<int>(section.has("pattern"));
  if (stated != 1) section.refuse("collective", "expected one of collective, pattern and compute_us");
  Operation operation{.name = section.word("name").value_or(""),
                      .among = section.word("among").value_or(""),
                      .where = section.where(""),
                      .times = section.count("times").value_or(1)};
  if (section.has("compute_us")) {
    section.allow({"name", "compute_us", "on", "times"});
    operation.compute_us = *section.above_zero("compute_us");
    if (section.has("on")) take_ranks(section, ranks, operation);
    return operation;
  }
  if (section.has("collective")) {
    section.allow(keys_of_collective(section));
    take_collective(section, operation);
  } else {
    section.allow({"name", "among", "pattern", "groups", "bytes", "times", "by", "seed"});
    take_pattern(section, operation);
  }
  if (!operation.matrix) {
    const auto bytes = section.bytes("bytes");
    if (!bytes) section.missing("bytes", "a size with its unit, as \"256MiB\"");
    operation.bytes = *bytes;
  }
  take_groups(section, ranks, operation);
  return operation;
}

}  // namespace assay::model::fabric
