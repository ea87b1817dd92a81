// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/search/tests/one_by_one.hpp"

#include <algorithm>

#include "model/predict/answer/prediction.hpp"
#include "model/search/tests/published.hpp"

namespace assay::model {

Question small_question() {
  const Application small{.hidden = 2048,
                          .feedforward = 8192,
                          .seq_size = 2048,
                          .attn_heads = 16,
                          .attn_size = 128,
                          .num_blocks = 12};
  Question asked = question(small, h100_nvl8(512), 16, 24);
  asked.unfused = true;
  return asked;
}

Question small_assay_question(std::int64_t experts) {
  const Application small{.hidden = 1024,
                          .feedforward = 4096,
                          .seq_size = 1024,
                          .attn_heads = 8,
                          .attn_size = 128,
                          .num_blocks = 4,
                          .kv_heads = 2,
                          .gated_mlp = true,
                          .vocabulary = 32000,
                          .experts = experts,
                          .experts_per_token = experts > 0 ? 2 : 1};
  Question asked = question(small, h100_nvl8(0), 8, 8);
  asked.system.networks[0].size = 4;
  asked.system.fixes = Fixes::all();
  asked.model = Model::assay;
  return asked;
}

namespace {

/// On every choice of tiers for the five dimensions, of which those that carry nothing are on the first.
template <typename Look>
void on_all_tiers(const Question& asked, Execution e, Look look) {
  for (std::size_t chosen = 0; chosen < 32; ++chosen) {
    e.tensor_par_net = chosen & 1, e.pipeline_par_net = chosen >> 1 & 1;
    e.data_par_net = chosen >> 2 & 1, e.expert_par_net = chosen >> 3 & 1;
    e.context_par_net = chosen >> 4 & 1;
    if (e.tensor_par_net < tiers(asked, e.tensor_par) && e.pipeline_par_net < tiers(asked, e.pipeline_par) &&
        e.data_par_net < tiers(asked, e.data_par) && e.expert_par_net < tiers(asked, e.expert_par) &&
        e.context_par_net < tiers(asked, e.context_par))
      look(e);
  }
}

/// Every number of processors that the experts could be on.
template <typename Look>
void on_all_expert_degrees(const Question& asked, Execution e, Look look) {
  for (e.expert_par = 1; e.expert_par <= std::max<std::int64_t>(1, asked.application.experts); ++e.expert_par)
    if (misfit(asked.application, e, asked.system).empty()) on_all_tiers(asked, e, look);
}

template <typename Look>
void on_all_context_types(const Question& asked, Execution e, Look look) {
  for (const ContextPar type : {ContextPar::ring, ContextPar::all_gather, ContextPar::ulysses}) {
    if (type != ContextPar::ring && e.context_par == 1) return;
    e.context_par_type = type;
    on_all_expert_degrees(asked, e, look);
  }
}

template <typename Look>
void each_execution(const Question& asked, Look look) {
  for (const std::int64_t t : tensor_degrees(asked))
    for (const Split& split : splits(asked, t))
      for (const std::int64_t b : divisors(split.batch_size / split.data_par))
        for (const std::int64_t v : interleavings(asked, split))
          for (Execution e : block_choices(asked, t))
            for (const Around& around : arounds(asked, split.data_par * split.context_par, e.recompute)) {
              e.pipeline_par = split.pipeline_par, e.data_par = split.data_par,
              e.batch_size = split.batch_size;
              e.microbatch_size = b, e.interleaving = v;
              e.context_par = split.context_par;
              if (b * asked.application.seq_size / split.context_par % t != 0) continue;
              e.parameter_sharding = around.parameter_sharding;
              e.optimizer_sharding = around.optimizer_sharding, e.data_par_overlap = around.data_par_overlap;
              e.weight_offload = around.weight_offload, e.activations_offload = around.activations_offload;
              e.optimizer_offload = around.optimizer_offload;
              on_all_context_types(asked, e, look);
            }
}

}  // namespace

std::vector<std::vector<Candidate>> one_by_one(const Question& asked,
                                               const std::vector<Constraints>& constraints) {
  std::vector<std::vector<Candidate>> all(constraints.size());
  each_execution(asked, [&](const Execution& e) {
    const Prediction got = predict(configuration_of(asked, e));
    if (!got.verdict.feasible()) return;
    for (std::size_t i = 0; i < constraints.size(); ++i)
      if (constraints[i].allow(e) && constraints[i].allow(got.step))
        all[i].push_back({got.step.sample_rate, e});
  });
  for (auto& allowed : all) std::sort(allowed.begin(), allowed.end(), better);
  return all;
}

}  // namespace assay::model
