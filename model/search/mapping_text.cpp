// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/search/mapping_text.hpp"

#include <fmt/format.h>

namespace assay::model {
namespace {

/// "rs_ag/ring": how tensor-parallel peers talk; "-" alone.
std::string tensor_words(const Execution& e) {
  if (e.tensor_par == 1) return "-";
  return fmt::format("{}{}/{}", core::word_of(e.tensor_par_comm), e.seq_par_ag_redo ? "+redo" : "",
                     core::word_of(e.tensor_par_overlap));
}

std::string switches(const Execution& e) {
  std::string text;
  const auto add = [&](bool on, const char* word) {
    if (on) text += (text.empty() ? "" : " ") + std::string(word);
  };
  add(e.optimizer_sharding && !e.parameter_sharding, "sharded");
  add(e.parameter_sharding, "sharded:parameters");
  add(e.data_par_overlap, "dp-overlap");
  add(e.fused_activation, "fused");
  add(e.fused_attention, "fused-attention");
  add(e.weight_offload, "offload:weights");
  add(e.activations_offload, "offload:activations");
  add(e.optimizer_offload, "offload:optimizer");
  if (e.context_par > 1)
    add(true, fmt::format("context:{} {} on net {}", e.context_par, core::word_of(e.context_par_type),
                          e.context_par_net)
                  .c_str());
  if (e.expert_par > 1)
    add(true, fmt::format("experts:{} on net {}", e.expert_par, e.expert_par_net).c_str());
  return text;
}

}  // namespace

std::string shares(const Execution& e) {
  return fmt::format("{:>5} {:>5} {:>5} {:>3} {:>3}", e.tensor_par, e.pipeline_par, e.data_par,
                     e.microbatch_size, e.interleaving);
}

std::string ways(const Execution& e) {
  return fmt::format("{:<9} {:<15} {}", core::word_of(e.recompute), tensor_words(e), switches(e));
}

std::string shares_head() { return fmt::format("{:>5} {:>5} {:>5} {:>3} {:>3}", "t", "p", "d", "b", "v"); }

std::string ways_head() { return fmt::format("{:<9} {:<15} {}", "recompute", "tensor", "switched on"); }

std::string mapping_text(const Execution& e) {
  return fmt::format("t{} p{} d{} b{} v{} net {}{}{} {} {} {}", e.tensor_par, e.pipeline_par, e.data_par,
                     e.microbatch_size, e.interleaving, e.tensor_par_net, e.pipeline_par_net, e.data_par_net,
                     core::word_of(e.recompute), tensor_words(e), switches(e));
}

}  // namespace assay::model
