// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/search/around_sets.hpp"

namespace assay::model {
namespace {

AroundSet set_of(const Question& question, std::int64_t data_par, Recompute recompute) {
  AroundSet set{.all = arounds(question, data_par, recompute), .stored = {}};
  for (const Around& around : set.all)
    if (!around.data_par_overlap) set.stored.push_back(around);
  set.for_each_stored = static_cast<std::int64_t>(set.all.size() / set.stored.size());
  return set;
}

}  // namespace

AroundSets::AroundSets(const Question& question) {
  for (const std::int64_t data_par : {1, 2})
    sets_[static_cast<std::size_t>(data_par - 1)] = {set_of(question, data_par, Recompute::none),
                                                     set_of(question, data_par, Recompute::full)};
}

void put(const Around& around, Execution& execution) {
  execution.optimizer_sharding = around.optimizer_sharding;
  execution.data_par_overlap = around.data_par_overlap;
  execution.weight_offload = around.weight_offload;
  execution.activations_offload = around.activations_offload;
  execution.optimizer_offload = around.optimizer_offload;
}

}  // namespace assay::model
