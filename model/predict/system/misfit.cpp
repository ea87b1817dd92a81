// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <optional>

#include "model/predict/system/execution.hpp"

namespace assay::model {
namespace {

/// One rule: what must hold, and what to say where it does not.
struct Rules {
  std::string broken;

  template <typename... Arguments>
  void require(bool holds, fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    if (!holds && broken.empty()) broken = fmt::format(text, std::forward<Arguments>(arguments)...);
  }
};

void check_processors(Rules& rules, const Execution& e) {
  const double product = static_cast<double>(e.tensor_par) * static_cast<double>(e.pipeline_par) *
                         static_cast<double>(e.data_par);
  rules.require(product == static_cast<double>(e.num_procs),
                "num_procs: expected tensor_par * pipeline_par * data_par = {} * {} * {}, got {}",
                e.tensor_par, e.pipeline_par, e.data_par, e.num_procs);
  rules.require(e.batch_size % e.data_par == 0, "batch_size: expected a multiple of data_par {}, got {}",
                e.data_par, e.batch_size);
  const std::int64_t local = e.batch_size / e.data_par;
  rules.require(local > 0 && local % e.microbatch_size == 0,
                "microbatch_size: expected a divisor of batch_size / data_par = {}, got {}", local,
                e.microbatch_size);
}

void check_options(Rules& rules, const Execution& e) {
  rules.require(!e.optimizer_sharding || e.data_par > 1,
                "optimizer_sharding: expected false where data_par is 1");
  rules.require(!e.data_par_overlap || e.data_par > 1,
                "data_par_overlap: expected false where data_par is 1");
  rules.require(e.tensor_par_overlap == TensorParOverlap::none || e.tensor_par > 1,
                "tensor_par_overlap: expected 'none' where tensor_par is 1");
  rules.require(!e.seq_par_ag_redo || e.sequence_parallel(),
                "seq_par_ag_redo: expected false unless tensor_par_comm_type is 'rs_ag'");
  rules.require(!e.seq_par_ag_redo || e.recompute != Recompute::full,
                "seq_par_ag_redo: expected false where activation_recompute is 'full'");
  rules.require(e.pipeline_par > 1 || e.interleaving == 1,
                "pipeline_interleaving: expected 1 where pipeline_par is 1, got {}", e.interleaving);
  if (e.training) return;
  rules.require(e.recompute == Recompute::none,
                "activation_recompute: expected 'none' where training is false");
  rules.require(!e.data_par_overlap, "data_par_overlap: expected false where training is false");
  rules.require(!e.optimizer_offload, "optimizer_offload: expected false where training is false");
}

/// Checks one kind of block.
void check_application(Rules& rules, const Application& a, const Execution& e) {
  const auto divisible = [&](const char* key, std::int64_t value) {
    rules.require(value % e.tensor_par == 0,
                  "tensor_par: expected a divisor of the application's {} {}, got {}", key, value,
                  e.tensor_par);
  };
  divisible("hidden", a.hidden);
  divisible("feedforward", a.feedforward);
  divisible("attn_heads", a.attn_heads);
  if (a.state.heads > 0) divisible("state.heads", a.state.heads);
  if (a.experts > 0) divisible("expert_feedforward", a.expert_width());
  rules.require(e.tensor_par_comm == TensorParComm::ar || e.microbatch_size * a.seq_size % e.tensor_par == 0,
                "tensor_par: expected a divisor of microbatch_size * seq_size = {} for this "
                "tensor_par_comm_type, got {}",
                e.microbatch_size * a.seq_size, e.tensor_par);
}

/// Checks what only assay's files can say.
void check_extensions(Rules& rules, const Application& a, const Execution& e) {
  const std::int64_t t = e.tensor_par;
  rules.require(a.kv_heads == 0 || (a.kv_heads >= t ? a.kv_heads % t : t % a.kv_heads) == 0,
                "tensor_par: expected a divisor or a multiple of the application's kv_heads {}, got {}",
                a.kv_heads, t);
  rules.require(a.kv_heads <= 1 || e.attention == Attention::multihead,
                "attention_type: expected 'multihead' for an application of kv_heads {}", a.kv_heads);
  rules.require(a.vocabulary % t == 0, "tensor_par: expected a divisor of the application's vocabulary {}",
                a.vocabulary);
  rules.require(e.data_par % e.expert_par == 0, "expert_par: expected a divisor of data_par {}, got {}",
                e.data_par, e.expert_par);
  rules.require(a.experts % e.expert_par == 0,
                "expert_par: expected a divisor of the application's experts {}, got {}", a.experts,
                e.expert_par);
  rules.require(!e.parameter_sharding || (e.optimizer_sharding && e.training),
                "parameter_sharding: expected false unless optimizer_sharding and training are true");
  rules.require(!e.parameter_sharding || !e.weight_offload,
                "parameter_sharding: expected false where weight_offload is true");
  rules.require(!e.parameter_sharding || a.experts == 0,
                "parameter_sharding: expected false for an application with experts");
  rules.require(a.experts == 0 || e.tensor_par_overlap == TensorParOverlap::none,
                "tensor_par_overlap: expected 'none' for an application with experts");
}

void check_system(Rules& rules, const Execution& e, const System& s) {
  const auto tier = [&](const char* key, std::size_t index) {
    rules.require(index < s.networks.size(), "{}: expected an index below the system's {} networks, got {}",
                  key, s.networks.size(), index);
  };
  tier("tensor_par_net", e.tensor_par_net);
  tier("pipeline_par_net", e.pipeline_par_net);
  tier("data_par_net", e.data_par_net);
  tier("expert_par_net", e.expert_par_net);
  const auto type = static_cast<std::size_t>(e.datatype);
  rules.require(s.matrix[type].has_value(), "datatype: the system's matrix has no '{}'",
                datatype_names[type]);
  rules.require(s.vector[type].has_value(), "datatype: the system's vector has no '{}'",
                datatype_names[type]);
}

}  // namespace

std::string misfit(const Application& application, const Execution& execution, const System& system) {
  Rules rules;
  check_processors(rules, execution);
  check_options(rules, execution);
  std::int64_t experts = 0;
  for (const Application& kind : kinds_of(application)) {
    check_application(rules, kind, execution);
    check_extensions(rules, kind, execution);
    experts += kind.experts;
  }
  rules.require(experts > 0 || execution.expert_par == 1,
                "expert_par: expected a divisor of the application's experts {}, or 1 without any, got {}", 0,
                execution.expert_par);
  check_system(rules, execution, system);
  return rules.broken;
}

}  // namespace assay::model
