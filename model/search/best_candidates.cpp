// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/search/best_candidates.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace assay::model {
namespace {

auto ranked(const Execution& e) {
  return std::tuple(e.tensor_par, e.pipeline_par, e.data_par, e.microbatch_size, e.interleaving,
                    e.tensor_par_net, e.pipeline_par_net, e.data_par_net, !e.fused_activation, e.recompute,
                    e.tensor_par_comm, e.seq_par_ag_redo, e.tensor_par_overlap, e.optimizer_sharding,
                    e.data_par_overlap, e.weight_offload, e.activations_offload, e.optimizer_offload,
                    !e.fused_attention, e.expert_par, e.expert_par_net, e.context_par, e.context_par_type,
                    e.context_par_net, e.parameter_sharding);
}

}  // namespace

bool better(const Candidate& left, const Candidate& right) {
  if (left.sample_rate != right.sample_rate) return left.sample_rate > right.sample_rate;
  return ranked(left.execution) < ranked(right.execution);
}

void BestCandidates::add(double sample_rate, const Execution& execution) {
  if (sample_rate < least_rate()) return;
  const Candidate candidate{sample_rate, execution};
  best_.insert(std::upper_bound(best_.begin(), best_.end(), candidate, better), candidate);
  if (best_.size() > top_) best_.pop_back();
}

double BestCandidates::least_rate() const {
  if (top_ == 0) return std::numeric_limits<double>::infinity();
  return best_.size() < top_ ? -std::numeric_limits<double>::infinity() : best_.back().sample_rate;
}

}  // namespace assay::model
