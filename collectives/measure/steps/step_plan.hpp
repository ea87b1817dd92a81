// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The part of one rank in a training step: its collectives, each made ready once, in an order that all ranks
// share, and what each waits for.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "collectives/content.hpp"
#include "collectives/problem.hpp"
#include "collectives/rank_groups.hpp"
#include "harness/training/training_step.hpp"

namespace assay::collectives {

/// A collective of this rank; equal ones of the step are one.
struct StepPart {
  RankGroup members;
  Problem problem;
  double times = 0;  // in a step
};

struct StepAction {
  std::size_t stream = 0;
  double compute_s = 0;  // of no part
  int part = -1;         // -1: compute, or an exchange of others
};

struct StepPlan {
  std::vector<StepPart> parts;
  std::vector<StepAction> actions;
  std::vector<std::vector<std::size_t>> after;  // streams that end before each
  double compute_path_s = 0;
  bool has_pipeline = false;  // runs as a shift: the module has no send without a receive
};

/// `equal`: gathers and reduce-scatters get whole vectors that the ranks divide, as NCCL needs them.
enum class StepBlocks { as_stated, equal };

/// Bytes are rounded up to whole elements. `node_of` by rank, empty: all on one.
StepPlan step_plan(const training::TrainingStep& step, int rank, const std::vector<int>& node_of,
                   DataType type, StepBlocks blocks = StepBlocks::as_stated);

/// Collectives of all ranks, each once, in an order that all ranks share: those of a rank are in its plan in
/// the same order.
std::vector<StepPart> parts_of_all_ranks(const training::TrainingStep& step, const std::vector<int>& node_of,
                                         DataType type, StepBlocks blocks = StepBlocks::as_stated);

/// Bytes of a step's whole vectors, as they count for algbw: of the exchanges of this rank.
double counted_bytes(const StepPlan& plan, DataType type);
/// Bytes of one run of a collective as busbw counts them; of an all_to_all_v, the most that any rank sends to
/// others.
double bus_bytes(const Problem& problem, DataType type);
/// "1 MiB: 12 all_reduce, 2 MiB: 3 all_gather": by powers of two of whole vectors.
std::string sizes_text(const StepPlan& plan, DataType type);
/// Buffers of all parts.
double buffer_bytes(const StepPlan& plan, int rank, DataType type);
/// Says that the buffers of rank 0, whose plan this is, are more than a point may take; nothing where they
/// fit.
std::optional<std::string> too_many_buffers(const StepPlan& plan, DataType type);

}  // namespace assay::collectives
