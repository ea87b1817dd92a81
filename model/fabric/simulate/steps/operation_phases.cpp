// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/steps/operation_phases.hpp"

#include <algorithm>

#include "harness/core/error.hpp"
#include "model/fabric/drawn_blocks.hpp"

namespace assay::model::fabric {

namespace {

BlockBytes blocks_of(const Operation& operation, PatternSize size) {
  switch (operation.blocks) {
    case BlockSizes::equal:
      break;
    case BlockSizes::matrix:
      return [matrix = operation.matrix](int from, int to) {
        return (*matrix)[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
      };
    case BlockSizes::exponential:
      return exponential_blocks(size, operation.seed);
    case BlockSizes::zipf:
      return zipf_blocks(size, operation.seed);
  }
  return equal_blocks(size);
}

std::vector<Phase> all_to_all_phases(const Operation& operation, PatternSize size,
                                     const PhaseSettings& settings) {
  const BlockBytes blocks = blocks_of(operation, size);
  if (!goes_in_shifts(operation, size.ranks, settings.window_bytes))
    return all_to_all_at_once(size.ranks, blocks);
  return all_to_all_in_shifts(size.ranks, blocks,
                              settings.shifts.empty() ? all_shifts(size.ranks) : settings.shifts);
}

/// `operation` must outlive them.
std::vector<Phase> listed_phases(const Operation& operation) {
  std::vector<Phase> phases;
  for (const PairRound& round : operation.rounds)
    phases.push_back(
        {.name = operation.collective, .sends = [&operation, &round](int rank, const Emit& emit) {
           const auto from = static_cast<std::uint32_t>(rank);
           for (auto pair = std::ranges::lower_bound(round, std::pair(from, 0U));
                pair != round.end() && pair->first == from; ++pair)
             emit(static_cast<int>(pair->second), operation.bytes);
         }});
  return phases;
}

}  // namespace

bool goes_in_shifts(const Operation& operation, int ranks, double window_bytes) {
  if (operation.kind != OperationKind::all_to_all) return false;
  const bool large = window_bytes > 0 && static_cast<double>(operation.bytes) / ranks > window_bytes;
  return operation.all_to_all_steps == AllToAllSteps::shifts ||
         (operation.all_to_all_steps == AllToAllSteps::by_window && large);
}

std::vector<Phase> phases_of(const Operation& operation, int ranks, const PhaseSettings& settings) {
  const PatternSize size{ranks, operation.bytes};
  try {
    switch (operation.kind) {
      case OperationKind::compute:
        return {};
      case OperationKind::collective:
        return phases_of(*operation.pattern, size);
      case OperationKind::double_tree:
        return double_tree_all_reduce(size);
      case OperationKind::hierarchical:
        return hierarchical_all_reduce(size, settings.per_server, *operation.pattern);
      case OperationKind::all_to_all:
        return all_to_all_phases(operation, size, settings);
      case OperationKind::incast:
        return incast(size, 0);
      case OperationKind::permutation:
        return permutation(size, operation.seed);
      case OperationKind::pipeline:
        return pipeline(size);
      case OperationKind::shift:
        return shift(size, static_cast<int>(operation.by));
      case OperationKind::listed:
        return listed_phases(operation);
    }
  } catch (const core::Error& error) {
    core::usage_error(operation.where + "algorithm: " + error.what());
  }
  return {};
}

}  // namespace assay::model::fabric
