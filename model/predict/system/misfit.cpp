// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <optional>

#include "model/predict/system/execution.hpp"

namespace assay::model {
namespace {

/// Time and memory of a simulated pipeline grow with the square of its stages.
constexpr std::int64_t most_simulated_stages = 1024;

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
                         static_cast<double>(e.data_par) * static_cast<double>(e.context_par);
  rules.require(product == static_cast<double>(e.num_procs),
                "num_procs: expected tensor_par * pipeline_par * data_par{} = {} * {} * {}{}, got {}",
                e.context_par == 1 ? "" : " * context_par", e.tensor_par, e.pipeline_par, e.data_par,
                e.context_par == 1 ? "" : fmt::format(" * {}", e.context_par), e.num_procs);
  rules.require(e.batch_size % e.data_par == 0, "batch_size: expected a multiple of data_par {}, got {}",
                e.data_par, e.batch_size);
  const std::int64_t local = e.batch_size / e.data_par;
  rules.require(local > 0 && local % e.microbatch_size == 0,
                "microbatch_size: expected a divisor of batch_size / data_par = {}, got {}", local,
                e.microbatch_size);
}

void check_options(Rules& rules, const Execution& e) {
  rules.require(!e.optimizer_sharding || e.copies() > 1,
                "optimizer_sharding: expected false where data_par is 1");
  rules.require(!e.data_par_overlap || e.copies() > 1,
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
  const std::int64_t tokens = e.microbatch_size * a.seq_size / e.context_par;
  rules.require(e.tensor_par_comm == TensorParComm::ar || tokens % e.tensor_par == 0,
                "tensor_par: expected a divisor of microbatch_size * seq_size{} = {} for this "
                "tensor_par_comm_type, got {}",
                e.context_par == 1 ? "" : " / context_par", tokens, e.tensor_par);
}

/// Whether a group of `size` fills each dimension before it continues to the next, as those of Placement do.
bool fills(std::int64_t size, std::initializer_list<std::int64_t> dimensions) {
  for (const std::int64_t dimension : dimensions) {
    if (size <= dimension) return dimension % size == 0;
    if (size % dimension != 0) return false;
    size /= dimension;
  }
  return size == 1;
}

/// Experts are spread over the processors of a pipeline's stage, of which each is divided over
/// expert_tensor_par in a row: within replicas, or over whole ones.
void check_experts(Rules& rules, const Application& a, const Execution& e) {
  const std::int64_t replica = e.tensor_par * e.context_par, split = e.expert_tensor();
  const std::int64_t needed = e.expert_group();
  if (split == e.tensor_par && e.context_par == 1) {
    rules.require(e.data_par % e.expert_par == 0, "expert_par: expected a divisor of data_par {}, got {}",
                  e.data_par, e.expert_par);
  } else {
    rules.require(e.tensor_par % split == 0, "expert_tensor_par: expected a divisor of tensor_par {}, got {}",
                  e.tensor_par, split);
    rules.require(needed <= replica ? replica % needed == 0
                                    : needed % replica == 0 && e.data_par % (needed / replica) == 0,
                  "expert_par: expected a divisor of tensor_par * context_par / expert_tensor_par = {}, or a "
                  "multiple of it by a divisor of data_par {}, got {}",
                  replica / split, e.data_par, e.expert_par);
    rules.require(needed > replica || fills(needed, {e.tensor_par, e.context_par}),
                  "expert_par: expected a divisor of tensor_par / expert_tensor_par = {}, or that times a "
                  "divisor of context_par {}, got {}",
                  e.tensor_par / split, e.context_par, e.expert_par);
    rules.require(split == e.tensor_par || e.sequence_parallel(),
                  "expert_tensor_par: expected tensor_par unless tensor_par_comm_type is 'rs_ag', got {}",
                  split);
  }
  rules.require(a.experts == 0 || a.expert_width() % split == 0,
                "expert_tensor_par: expected a divisor of the application's feedforward {}, got {}",
                a.expert_width(), split);
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
  check_experts(rules, a, e);
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

void check_context(Rules& rules, const Application& a, const Execution& e) {
  const std::int64_t c = e.context_par;
  rules.require(a.seq_size % c == 0,
                "context_par: expected a divisor of the application's seq_size {}, got {}", a.seq_size, c);
  rules.require(e.context_par_type != ContextPar::ulysses || a.attn_heads / e.tensor_par % c == 0,
                "context_par: expected a divisor of the application's attn_heads / tensor_par = {} for "
                "ulysses, got {}",
                a.attn_heads / e.tensor_par, c);
}

void check_sharding(Rules& rules, const Execution& e) {
  rules.require(e.sharding == Sharding::none || e.optimizer_sharding,
                "optimizer_sharding: expected true where sharding is '{}'", core::word_of(e.sharding));
  rules.require(e.sharding_group == 0 || e.optimizer_sharding,
                "sharding_group: expected optimizer_sharding or sharding with it");
  rules.require(e.sharding_group == 0 || e.copies() % e.sharding_group == 0,
                "sharding_group: expected a divisor of data_par * context_par = {}, got {}", e.copies(),
                e.sharding_group);
  const std::int64_t inner = e.expert_data(), outer = std::max<std::int64_t>(1, e.data_par / inner);
  rules.require(
      e.sharding_group == 0 || fills(e.sharding_group, {e.context_par, inner, outer}),
      "sharding_group: expected a divisor of {}, or {} times one of {}, or {} times one of {} (contexts, "
      "data ranks that share experts, the other data ranks), got {}",
      e.context_par, e.context_par, inner, e.context_par * inner, outer, e.sharding_group);
  rules.require(e.sharding_group != 1, "sharding_group: expected 2 or more, got 1");
}

void check_schedule(Rules& rules, const Application& a, const Execution& e) {
  using enum PipelineSchedule;
  const auto needs = [&](bool holds, const char* what) {
    rules.require(holds, "schedule: expected {} for '{}'", what, core::word_of(e.schedule));
  };
  if (e.schedule == one_forward_one_backward) needs(e.interleaving == 1, "pipeline_interleaving 1");
  if (e.schedule == interleaved) needs(e.interleaving > 1, "pipeline_interleaving above 1");
  if (e.schedule == zero_bubble || e.schedule == dualpipe) {
    needs(e.interleaving == 1 && e.training, "pipeline_interleaving 1 and training");
    needs(!e.any_offload(), "no offloads");
    rules.require(e.pipeline_par <= most_simulated_stages,
                  "pipeline_par: expected {} at most where schedule is '{}', got {}", most_simulated_stages,
                  core::word_of(e.schedule), e.pipeline_par);
  }
  if (e.schedule == dualpipe)
    needs(e.pipeline_par % 2 == 0 && e.microbatches() % 2 == 0 && e.microbatches() >= 2 * e.pipeline_par,
          "an even pipeline_par and at least 2 * pipeline_par microbatches, also even,");
  const std::int64_t blocks = (a.num_blocks + e.pipeline_par - 1) / e.pipeline_par;
  rules.require(e.recompute_blocks <= blocks,
                "recompute_blocks: expected at most a processor's {} blocks, got {}", blocks,
                e.recompute_blocks);
  rules.require(e.recompute_blocks == 0 || e.recompute != Recompute::none,
                "recompute_blocks: expected an activation_recompute other than 'none' with it");
  rules.require(e.recompute_blocks == 0 || !e.any_offload(), "recompute_blocks: expected none with offloads");
}

void check_types(Rules& rules, const Execution& e, const System& s) {
  const auto known = [&](const char* key, Datatype type) {
    const auto at = static_cast<std::size_t>(type);
    rules.require(s.matrix[at].has_value(), "{}: the system's matrix has no '{}'", key, datatype_names[at]);
  };
  known("product_datatype", e.product_type());
  known("attention_datatype", e.attention_type());
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
  tier("context_par_net", e.context_par_net);
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
    const bool has_state = kind.attention == Mixer::linear || kind.attention == Mixer::state_space;
    rules.require(!has_state || execution.context_par == 1,
                  "context_par: expected 1 for an application with linear attention or a state space, got {}",
                  execution.context_par);
  }
  rules.require(experts > 0 || execution.expert_par == 1,
                "expert_par: expected a divisor of the application's experts {}, or 1 without any, got {}", 0,
                execution.expert_par);
  rules.require(experts > 0 || execution.expert_tensor() == execution.tensor_par,
                "expert_tensor_par: expected none for an application without experts, got {}",
                execution.expert_tensor());
  check_context(rules, application, execution);
  check_sharding(rules, execution);
  check_schedule(rules, application, execution);
  check_system(rules, execution, system);
  check_types(rules, execution, system);
  return rules.broken;
}

}  // namespace assay::model
