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

constexpr std::array<std::string_view, 6> collectives = {"all_reduce", "all_gather", "reduce_scatter",
                                                         "all_to_all", "broadcast",  "reduce"};

constexpr auto step_words = core::words_of<AllToAllSteps>("by_window", "at_once", "pairwise");

enum class PatternWord { incast, permutation, shift, all_to_all };
constexpr auto pattern_words = core::words_of<PatternWord>("incast", "permutation", "shift", "all_to_all");

/// The patterns of a collective are named ALGORITHM_COLLECTIVE.
std::vector<std::string_view> algorithms_of(std::string_view collective) {
  const std::string ending = "_" + std::string(collective);
  std::vector<std::string_view> algorithms;
  for (const Pattern& one : patterns())
    if (one.name.ends_with(ending)) algorithms.push_back(one.name.substr(0, one.name.size() - ending.size()));
  return algorithms;
}

void take_collective(const Section& section, Operation& operation) {
  operation.collective = *section.word("collective");
  if (std::ranges::find(collectives, operation.collective) == collectives.end())
    section.refuse_choice("collective", operation.collective, collectives);
  if (operation.collective == "all_to_all") {
    operation.kind = OperationKind::all_to_all;
    operation.all_to_all_steps = section.choice("algorithm", step_words).value_or(AllToAllSteps::by_window);
    if (section.has("algorithm")) operation.algorithm = step_words.of(operation.all_to_all_steps);
    return;
  }
  const std::vector<std::string_view> algorithms = algorithms_of(operation.collective);
  operation.kind = OperationKind::collective;
  operation.algorithm = section.word("algorithm").value_or(std::string(algorithms.front()));
  if (std::ranges::find(algorithms, operation.algorithm) == algorithms.end())
    section.refuse_choice("algorithm", operation.algorithm, algorithms);
  operation.pattern = &pattern(operation.algorithm + "_" + operation.collective);
}

void take_pattern(const Section& section, Operation& operation) {
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
    case PatternWord::all_to_all:
      operation.kind = OperationKind::all_to_all;
      operation.all_to_all_steps = AllToAllSteps::at_once;
      break;
  }
  operation.collective = *section.word("pattern");
}

void take_groups(const Section& section, std::uint32_t ranks, Operation& operation) {
  const std::vector<std::string> all = {fmt::format("0:{}", ranks)};
  try {
    operation.groups = rank_groups(section.words("groups").value_or(all), ranks);
  } catch (const core::Error& error) {
    section.refuse("groups", error.what());
  }
  for (const RankGroup& group : operation.groups)
    if (operation.kind == OperationKind::shift && operation.by % group.size() == 0)
      section.refuse("by", fmt::format("a shift by {} in a group of {} sends nothing: expected less than {}",
                                       operation.by, group.size(), group.size()));
}

}  // namespace

Operation read_operation(const Section& section, std::uint32_t ranks) {
  const int stated = static_cast<int>(section.has("compute_us")) +
                     static_cast<int>(section.has("collective")) + static_cast<int>(section.has("pattern"));
  if (stated != 1) section.refuse("collective", "expected one of collective, pattern and compute_us");
  Operation operation{.where = section.where("")};
  if (section.has("compute_us")) {
    section.allow({"compute_us"});
    operation.compute_us = *section.above_zero("compute_us");
    return operation;
  }
  if (section.has("collective")) {
    section.allow({"collective", "algorithm", "groups", "bytes"});
    take_collective(section, operation);
  } else {
    section.allow({"pattern", "groups", "bytes", "by", "seed"});
    take_pattern(section, operation);
  }
  const auto bytes = section.bytes("bytes");
  if (!bytes) section.missing("bytes", "a size with its unit, as \"256MiB\"");
  operation.bytes = *bytes;
  take_groups(section, ranks, operation);
  return operation;
}

}  // namespace assay::model::fabric
