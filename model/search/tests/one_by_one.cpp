// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/search/tests/one_by_one.hpp"

#include <algorithm>

#include "model/predict/prediction.hpp"
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

std::vector<std::vector<Candidate>> one_by_one(const Question& asked,
                                               const std::vector<Constraints>& constraints) {
  std::vector<std::vector<Candidate>> all(constraints.size());
  for (const std::int64_t t : tensor_degrees(asked))
    for (const Split& split : splits(asked, t))
      for (const std::int64_t b : divisors(split.batch_size / split.data_par))
        for (const std::int64_t v : interleavings(asked, split))
          for (std::size_t tiers_chosen = 0; tiers_chosen < 8; ++tiers_chosen)
            for (Execution e : block_choices(asked, t))
              for (const Around& around : arounds(asked, split.data_par, e.recompute)) {
                e.pipeline_par = split.pipeline_par, e.data_par = split.data_par,
                e.batch_size = split.batch_size;
                e.microbatch_size = b, e.interleaving = v;
                e.tensor_par_net = tiers_chosen & 1, e.pipeline_par_net = tiers_chosen >> 1 & 1;
                e.data_par_net = tiers_chosen >> 2 & 1;
                if (e.tensor_par_net >= tiers(asked, t) ||
                    e.pipeline_par_net >= tiers(asked, e.pipeline_par) ||
                    e.data_par_net >= tiers(asked, e.data_par))
                  continue;
                e.optimizer_sharding = around.optimizer_sharding,
                e.data_par_overlap = around.data_par_overlap;
                e.weight_offload = around.weight_offload, e.activations_offload = around.activations_offload;
                e.optimizer_offload = around.optimizer_offload;
                if (!misfit(asked.application, e, asked.system).empty()) continue;
                const Prediction got = predict({asked.application, e, asked.system});
                if (!got.verdict.feasible()) continue;
                for (std::size_t i = 0; i < constraints.size(); ++i)
                  if (constraints[i].allow(e) && constraints[i].allow(got.step))
                    all[i].push_back({got.step.sample_rate, e});
              }
  for (auto& allowed : all) std::sort(allowed.begin(), allowed.end(), better);
  return all;
}

}  // namespace assay::model
