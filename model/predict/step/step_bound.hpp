// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A time that no step of a block choice in a layout can be faster than, whatever is sharded, overlapped or
// offloaded around it: a search leaves out all of them where that is too slow.
#pragma once

#include "model/predict/layers/block_cost.hpp"
#include "model/predict/step/schedule.hpp"

namespace assay::model {

/// At most `time.total_s` of evaluate_laid_out() for this execution with any optimizer_sharding,
/// data_par_overlap and offload, without parameter_sharding. -infinity where nothing bounds it.
double least_step_s(const Execution& execution, const System& system, const BlockCost& block,
                    const Schedule& schedule);

/// A bound for the step whose weights are in shards, with overlap or without.
double least_sharded_step_s(const Execution& execution, const System& system, const BlockCost& block,
                            const Schedule& schedule);

}  // namespace assay::model
