// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/search/around_sets.hpp"

namespace assay::model {
namespace {

AroundSet set_of(const Question& question, std::int64_t copies, Recompute recompute) {
  AroundSet set{.all = arounds(question, copies, recompute), .stored = {}};
  for (const Around& around : set.all)
    if (!around.data_par_overlap) set.stored.push_back(around);
  set.for_each_stored = static_cast<std::int64_t>(set.all.size() / set.stored.size());
  return set;
}

}  // namespace

AroundSets::AroundSets(const Question& question) {
  for (const std::int64_t copies : {1, 2})
    sets_[static_cast<std::size_t>(copies - 1)] = {set_of(question, copies, Recompute::none),
                                                   set_of(question, copies, Recompute::full)};
}

void put(const Around& around, Execution& execution) {
  execution.optimizer_sharding = around.optimizer_sharding;
  execution.data_par_overlap = around.data_par_overlap;
  execution.parameter_sharding = around.parameter_sharding;
  execution.weight_offload = around.weight_offload;
  execution.activations_offload = around.activations_offload;
  execution.optimizer_offload = around.optimizer_offload;
}

}  // namespace assay::model
