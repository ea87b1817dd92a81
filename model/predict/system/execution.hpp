// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The spread of one training step over processors, as Calculon's execution file gives it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "harness/core/describe/field.hpp"
#include "model/predict/system/application.hpp"
#include "model/predict/system/system.hpp"

namespace assay::model {

enum class Attention { multihead, multiquery };
constexpr auto words_for(core::Type<Attention>) {
  return core::words_of<Attention>("multihead", "multiquery");
}
enum class Recompute { none, attn_only, full };
constexpr auto words_for(core::Type<Recompute>) {
  return core::words_of<Recompute>("none", "attn_only", "full");
}
/// all-reduce; reduce-scatter and all-gather at a chunk's last block only; sequence parallelism.
enum class TensorParComm { ar, p2p_rs_ag, rs_ag };
constexpr auto words_for(core::Type<TensorParComm>) {
  return core::words_of<TensorParComm>("ar", "p2p_rs_ag", "rs_ag");
}
enum class TensorParOverlap { none, ring, pipe };
constexpr auto words_for(core::Type<TensorParOverlap>) {
  return core::words_of<TensorParOverlap>("none", "ring", "pipe");
}

struct Execution {
  std::int64_t num_procs = 1;
  std::int64_t tensor_par = 1, pipeline_par = 1, data_par = 1;
  std::size_t tensor_par_net = 0, pipeline_par_net = 0, data_par_net = 0;  // index into System::networks
  std::int64_t batch_size = 1, microbatch_size = 1;                        // sequences
  Datatype datatype = Datatype::float16;
  bool fused_activation = false;
  Attention attention = Attention::multihead;
  Recompute recompute = Recompute::none;
  std::int64_t interleaving = 1;  // chunks of blocks a processor
  bool optimizer_sharding = false;
  TensorParComm tensor_par_comm = TensorParComm::ar;
  TensorParOverlap tensor_par_overlap = TensorParOverlap::none;
  bool seq_par_ag_redo = false;
  bool data_par_overlap = false;
  bool weight_offload = false, activations_offload = false, optimizer_offload = false;
  bool training = true;

  // Known to --model assay alone.
  bool fused_attention = false;     // scores are never in memory, and made again in the backward pass
  bool parameter_sharding = false;  // weights are gathered for each pass (ZeRO-3, FSDP)
  std::int64_t expert_par = 1;      // processors of a data-parallel group that share the experts
  std::size_t expert_par_net = 0;   // index into System::networks

  bool sequence_parallel() const { return tensor_par_comm == TensorParComm::rs_ag; }
  bool any_offload() const { return weight_offload || activations_offload || optimizer_offload; }
  std::int64_t microbatches() const { return batch_size / (data_par * microbatch_size); }
  std::int64_t optimizer_shards() const { return optimizer_sharding ? data_par : 1; }
  /// Processors that hold the same experts.
  std::int64_t expert_copies() const { return data_par / expert_par; }
  std::int64_t expert_optimizer_shards() const { return optimizer_sharding ? expert_copies() : 1; }
};
/// Calculon's 23 keys; those that may be absent are assay's.
constexpr auto fields_of(core::Type<Execution>) {
  using core::Field;
  return std::tuple(
      Field<"num_procs", &Execution::num_procs>{core::from_one},
      Field<"tensor_par", &Execution::tensor_par>{core::from_one},
      Field<"pipeline_par", &Execution::pipeline_par>{core::from_one},
      Field<"data_par", &Execution::data_par>{core::from_one},
      Field<"tensor_par_net", &Execution::tensor_par_net>(),
      Field<"pipeline_par_net", &Execution::pipeline_par_net>(),
      Field<"data_par_net", &Execution::data_par_net>(),
      Field<"batch_size", &Execution::batch_size>{core::from_one},
      Field<"microbatch_size", &Execution::microbatch_size>{core::from_one},
      Field<"pipeline_interleaving", &Execution::interleaving>{core::from_one},
      Field<"datatype", &Execution::datatype>(), Field<"fused_activation", &Execution::fused_activation>(),
      Field<"attention_type", &Execution::attention>(),
      Field<"activation_recompute", &Execution::recompute>(),
      Field<"optimizer_sharding", &Execution::optimizer_sharding>(),
      Field<"tensor_par_comm_type", &Execution::tensor_par_comm>(),
      Field<"tensor_par_overlap", &Execution::tensor_par_overlap>(),
      Field<"seq_par_ag_redo", &Execution::seq_par_ag_redo>(),
      Field<"data_par_overlap", &Execution::data_par_overlap>(),
      Field<"weight_offload", &Execution::weight_offload>(),
      Field<"activations_offload", &Execution::activations_offload>(),
      Field<"optimizer_offload", &Execution::optimizer_offload>(), Field<"training", &Execution::training>(),
      Field<"fused_attention", &Execution::fused_attention>{core::any_value.where_known()},
      Field<"parameter_sharding", &Execution::parameter_sharding>{core::any_value.where_known()},
      Field<"expert_par", &Execution::expert_par>{core::from_one.where_known()},
      Field<"expert_par_net", &Execution::expert_par_net>{core::any_value.where_known()});
}

/// Why these three cannot be put together, naming the execution's key; empty where they can. Whatever
/// Calculon asserts is found here; what it calls infeasible is found by evaluate().
std::string misfit(const Application& application, const Execution& execution, const System& system);

}  // namespace assay::model
