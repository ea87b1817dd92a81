// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/search/group_search.hpp"

#include <optional>

#include "model/predict/step/laid_out_memory.hpp"

namespace assay::model {
namespace {

bool has_blocks_to_offload(const Group& group) {
  return !group.execution.any_offload() || group.schedule.blocks >= 3;
}

}  // namespace

void Finds::add(const Finds& others) {
  placed += others.placed;
  feasible += others.feasible;
  evaluated += others.evaluated;
  avoided += others.avoided;
  for (const Candidate& candidate : others.best.sorted())
    best.add(candidate.sample_rate, candidate.execution);
  for (const Trade& trade : others.front.sorted()) front.add(trade);
}

std::int64_t GroupSearch::count_fitting(Group group) const {
  Execution& e = group.execution;
  const AroundSet& set = task_.arounds.of(e.copies(), e.recompute);
  std::optional<LaidOutMemory> memory;
  bool sharded = false, shards_parameters = false;  // `memory` is
  std::int64_t fitting = 0;
  for (const Around& around : set.stored) {
    put(around, e);
    if (!has_blocks_to_offload(group)) continue;
    if (!memory || sharded != e.optimizer_sharding || shards_parameters != e.parameter_sharding)
      memory.emplace(StepInputs{e, question_.system, group.block, group.schedule});
    sharded = e.optimizer_sharding;
    shards_parameters = e.parameter_sharding;
    const StepMemory& needed = memory->with_offloads_of(e);
    if (fits_memory(question_.system, needed).feasible() && task_.constraints.allow(needed)) ++fitting;
  }
  return fitting * set.for_each_stored;
}

std::int64_t GroupSearch::evaluate(Group group) {
  Execution& e = group.execution;
  std::int64_t feasible = 0;
  for (const Around& around : task_.arounds.of(e.copies(), e.recompute).all) {
    put(around, e);
    if (!has_blocks_to_offload(group)) continue;
    if (!evaluate_laid_out(e, question_.system, group.block, group.schedule, step_).feasible()) continue;
    ++finds_.evaluated;
    if (!task_.constraints.allow(step_)) continue;
    ++feasible;
    find(e);
  }
  return feasible;
}

void GroupSearch::find(const Execution& execution) {
  finds_.best.add(step_.sample_rate, execution);
  if (!task_.front) return;
  finds_.front.add({step_.sample_rate, step_.memory.fullest_tier1(), step_.required.offload, execution});
}

}  // namespace assay::model
