// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/search/distinct.hpp"

#include <algorithm>
#include <tuple>

#include "model/predict/answer/prediction.hpp"

namespace assay::model {
namespace {

auto noticed(const Question& question, const Candidate& candidate) {
  const Execution& e = candidate.execution;
  const StepMemory memory = predict(configuration_of(question, e)).step.memory;
  return std::tuple(candidate.sample_rate, memory.fullest_tier1(), memory.tier2, e.tensor_par, e.pipeline_par,
                    e.data_par, e.microbatch_size, e.interleaving, e.tensor_par_net, e.pipeline_par_net,
                    e.data_par_net, e.expert_par, e.expert_par_net, e.context_par, e.context_par_net);
}

}  // namespace

std::vector<Candidate> distinct(const Question& question, const std::vector<Candidate>& best,
                                std::size_t most) {
  std::vector<Candidate> kept;
  std::vector<decltype(noticed(question, best.front()))> seen;
  for (const Candidate& candidate : best) {
    if (kept.size() == most) break;
    auto what = noticed(question, candidate);
    if (std::ranges::find(seen, what) != seen.end()) continue;
    seen.push_back(std::move(what));
    kept.push_back(candidate);
  }
  return kept;
}

}  // namespace assay::model
