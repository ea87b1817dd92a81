// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The spread of one training step over processors, as Calculon's execution file gives it.
#pragma once

#include <cstdint>
#include <optional>
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

/// Parts that the processors of a sharding group divide; each word includes those before it. Calculon's
/// optimizer_sharding shares state and gradients.
enum class Sharding { none, optimizer, gradients, parameters };
constexpr auto words_for(core::Type<Sharding>) {
  return core::words_of<Sharding>("none", "optimizer", "gradients", "parameters");
}
/// Keys and values passed around while attention works, gathered before it, or heads exchanged for tokens.
enum class ContextPar { ring, all_gather, ulysses };
constexpr auto words_for(core::Type<ContextPar>) {
  return core::words_of<ContextPar>("ring", "all_gather", "ulysses");
}
enum class PipelineSchedule { by_interleaving, one_forward_one_backward, interleaved, zero_bubble, dualpipe };
constexpr auto words_for(core::Type<PipelineSchedule>) {
  return core::words_of<PipelineSchedule>("by_interleaving", "1f1b", "interleaved", "zero_bubble",
                                          "dualpipe");
}

/// Datatypes that measured times are chosen by.
struct PricedTypes {
  Datatype all, products;

  PricedTypes(Datatype of) : all(of), products(of) {}  // NOLINT(google-explicit-constructor): of both
  PricedTypes(Datatype of, Datatype of_products) : all(of), products(of_products) {}
  auto operator<=>(const PricedTypes&) const = default;
};

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
  bool fused_attention = false;        // scores are never in memory, and made again in the backward pass
  bool parameter_sharding = false;     // weights are gathered for each pass (ZeRO-3, FSDP)
  std::int64_t expert_par = 1;         // processors of a data-parallel group that share the experts
  std::size_t expert_par_net = 0;      // index into System::networks
  std::int64_t expert_tensor_par = 0;  // processors that an expert's matrices are divided over; 0: tensor_par
  std::int64_t context_par = 1;        // processors that share the tokens of a sequence
  std::size_t context_par_net = 0;     // index into System::networks
  ContextPar context_par_type = ContextPar::ring;
  Sharding sharding = Sharding::none;  // none: as optimizer_sharding and parameter_sharding say
  std::int64_t sharding_group = 0;     // processors that hold one copy; 0: all that could
  std::int64_t sharding_prefetch = 1;  // blocks gathered ahead
  std::optional<Datatype> product_datatype = {}, gradient_datatype = {}, exchange_datatype = {},
                          attention_datatype = {};  // none: datatype
  PipelineSchedule schedule = PipelineSchedule::by_interleaving;
  std::int64_t recompute_blocks = 0;  // of a processor; 0: all

  bool sequence_parallel() const { return tensor_par_comm == TensorParComm::rs_ag; }
  bool any_offload() const { return weight_offload || activations_offload || optimizer_offload; }
  std::int64_t microbatches() const { return batch_size / (data_par * microbatch_size); }
  /// Processors that hold the same weights, but those of experts.
  std::int64_t copies() const { return data_par * context_par; }
  /// The network between them: weights of one data rank are exchanged between the ranks of its context alone.
  std::size_t copies_net() const {
    if (context_par == 1) return data_par_net;
    if (data_par == 1) return context_par_net;
    return data_par_net > context_par_net ? data_par_net : context_par_net;
  }
  std::int64_t shards() const { return sharding_group == 0 ? copies() : sharding_group; }
  std::int64_t optimizer_shards() const { return optimizer_sharding ? shards() : 1; }
  bool shares_gradients() const { return optimizer_sharding && sharding != Sharding::optimizer; }
  std::int64_t expert_tensor() const { return expert_tensor_par == 0 ? tensor_par : expert_tensor_par; }
  /// Processors that hold all experts between them.
  std::int64_t expert_group() const { return expert_par * expert_tensor(); }
  /// Data ranks that such a group needs where it is larger than a replica.
  std::int64_t expert_data() const {
    const std::int64_t ranks = expert_group() / (tensor_par * context_par);
    return ranks > 1 ? ranks : 1;
  }
  /// Processors that hold the same experts.
  std::int64_t expert_copies() const { return tensor_par * copies() / expert_group(); }
  std::int64_t expert_optimizer_shards() const { return optimizer_sharding ? expert_copies() : 1; }

  Datatype product_type() const { return product_datatype.value_or(datatype); }
  Datatype gradient_type() const { return gradient_datatype.value_or(datatype); }
  Datatype exchange_type() const { return exchange_datatype.value_or(datatype); }
  Datatype attention_type() const { return attention_datatype.value_or(datatype); }
  /// Bytes of a gradient for one of its weight, and of an activation on a network for one in memory.
  double gradient_share() const { return bytes_of(gradient_type()) / bytes_of(datatype); }
  double exchange_share() const { return bytes_of(exchange_type()) / bytes_of(datatype); }
  PricedTypes priced_types() const { return {datatype, product_type()}; }
};
/// Calculon's 23 keys; those that may be absent are assay's.
constexpr auto fields_of(core::Type<Execution>) {
  using core::Field;
  using E = Execution;
  constexpr auto any = core::any_value.where_known(), counted = core::from_one.where_known();
  return std::tuple(
      Field<"num_procs", &E::num_procs>{core::from_one}, Field<"tensor_par", &E::tensor_par>{core::from_one},
      Field<"pipeline_par", &E::pipeline_par>{core::from_one},
      Field<"data_par", &E::data_par>{core::from_one}, Field<"tensor_par_net", &E::tensor_par_net>(),
      Field<"pipeline_par_net", &E::pipeline_par_net>(), Field<"data_par_net", &E::data_par_net>(),
      Field<"batch_size", &E::batch_size>{core::from_one},
      Field<"microbatch_size", &E::microbatch_size>{core::from_one},
      Field<"pipeline_interleaving", &E::interleaving>{core::from_one}, Field<"datatype", &E::datatype>(),
      Field<"fused_activation", &E::fused_activation>(), Field<"attention_type", &E::attention>(),
      Field<"activation_recompute", &E::recompute>(), Field<"optimizer_sharding", &E::optimizer_sharding>(),
      Field<"tensor_par_comm_type", &E::tensor_par_comm>(),
      Field<"tensor_par_overlap", &E::tensor_par_overlap>(), Field<"seq_par_ag_redo", &E::seq_par_ag_redo>(),
      Field<"data_par_overlap", &E::data_par_overlap>(), Field<"weight_offload", &E::weight_offload>(),
      Field<"activations_offload", &E::activations_offload>(),
      Field<"optimizer_offload", &E::optimizer_offload>(), Field<"training", &E::training>(),
      Field<"fused_attention", &E::fused_attention>{any},
      Field<"parameter_sharding", &E::parameter_sharding>{any}, Field<"expert_par", &E::expert_par>{counted},
      Field<"expert_par_net", &E::expert_par_net>{any},
      Field<"expert_tensor_par", &E::expert_tensor_par>{counted},
      Field<"context_par", &E::context_par>{counted}, Field<"context_par_net", &E::context_par_net>{any},
      Field<"context_par_type", &E::context_par_type>{any}, Field<"sharding", &E::sharding>{any},
      Field<"sharding_group", &E::sharding_group>{counted},
      Field<"sharding_prefetch", &E::sharding_prefetch>{any},
      Field<"product_datatype", &E::product_datatype>{any},
      Field<"gradient_datatype", &E::gradient_datatype>{any},
      Field<"exchange_datatype", &E::exchange_datatype>{any},
      Field<"attention_datatype", &E::attention_datatype>{any}, Field<"schedule", &E::schedule>{any},
      Field<"recompute_blocks", &E::recompute_blocks>{any});
}

/// Why these three cannot be put together, naming the execution's key; empty where they can. Whatever
/// Calculon asserts is found here; what it calls infeasible is found by evaluate().
std::string misfit(const Application& application, const Execution& execution, const System& system);

}  // namespace assay::model
