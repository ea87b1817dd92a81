// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/step/stats.hpp"

namespace assay::model {
namespace {

using Stats = std::vector<Stat>;

void add_pass(Stats& out, const std::array<std::string_view, 5>& names, const Pass& pass) {
  const std::array<double, 5> values = {pass.flops, pass.flop_s, pass.bytes, pass.memory_s, pass.seconds};
  for (std::size_t i = 0; i < names.size(); ++i) out.push_back({names[i], values[i]});
}

/// The link's time and the exposed part, of base blocks and edge blocks.
void add_exchange(Stats& out, const std::array<std::string_view, 4>& names, const ExchangePass& exchange) {
  const std::array<double, 4> values = {exchange.base.link_s, exchange.edge.link_s, exchange.base.exposed_s,
                                        exchange.edge.exposed_s};
  for (std::size_t i = 0; i < names.size(); ++i) out.push_back({names[i], values[i]});
}

void add_passes(Stats& out, const BlockCost& block, const Pass& optimizer) {
  add_pass(out,
           {"block_fw_flops", "block_fw_flops_time", "block_fw_mem_accessed", "block_fw_mem_time",
            "block_fw_time"},
           block.forward);
  add_exchange(out,
               {"baseblock_fw_tp_time", "edgeblock_fw_tp_time", "baseblock_fw_tp_time_exposed",
                "edgeblock_fw_tp_time_exposed"},
               block.forward_exchange);
  add_pass(out,
           {"block_re_flops", "block_re_flops_time", "block_re_mem_accessed", "block_re_mem_time",
            "block_re_time"},
           block.recompute);
  add_exchange(out,
               {"baseblock_recomm_time", "edgeblock_recomm_time", "baseblock_recomm_time_exposed",
                "edgeblock_recomm_time_exposed"},
               block.repeated_exchange);
  add_pass(out,
           {"block_agrad_flops", "block_agrad_flops_time", "block_agrad_mem_accessed", "block_agrad_mem_time",
            "block_agrad_time"},
           block.agrad);
  add_exchange(out,
               {"baseblock_agrad_tp_time", "edgeblock_agrad_tp_time", "baseblock_agrad_tp_time_exposed",
                "edgeblock_agrad_tp_time_exposed"},
               block.backward_exchange);
  add_pass(out,
           {"block_wgrad_flops", "block_wgrad_flops_time", "block_wgrad_mem_accessed", "block_wgrad_mem_time",
            "block_wgrad_time"},
           block.wgrad);
  add_pass(out,
           {"block_optim_flops", "block_optim_flops_time", "block_optim_mem_accessed", "block_optim_mem_time",
            "block_optim_time"},
           optimizer);
}

void add_sizes(Stats& out, const BlockCost& block, const Step& step) {
  const StepMemory& memory = step.memory;
  const ExchangePass& forward = block.forward_exchange;
  const ExchangePass& backward = block.backward_exchange;
  const ExchangePass& repeated = block.repeated_exchange;
  out.insert(out.end(), {{"baseblock_fw_tp_size", forward.base.bytes},
                         {"edgeblock_fw_tp_size", forward.edge.bytes},
                         {"baseblock_bw_tp_size", backward.base.bytes},
                         {"edgeblock_bw_tp_size", backward.edge.bytes},
                         {"baseblock_recomm_size", repeated.base.bytes},
                         {"edgeblock_recomm_size", repeated.edge.bytes},
                         {"block_fw_pp_size", step.forward_pipeline_bytes},
                         {"block_bw_pp_size", step.backward_pipeline_bytes},
                         {"block_dp_size", step.data_bytes},
                         {"tp_bw_overlap_req", block.overlap_b_per_s},
                         {"dp_bw_overlap_req_chunk", step.required.data_chunk},
                         {"dp_bw_overlap_req_tail", step.required.data_tail},
                         {"block_weight_space", block.weight_bytes},
                         {"block_act_working_space", block.working_bytes},
                         {"block_act_storage_space", block.stored_bytes},
                         {"block_act_checkpoint_size", block.checkpoint_bytes},
                         {"block_weight_grad_space", memory.block_weight_gradient},
                         {"block_weight_grad_space_no_sharding", memory.block_weight_gradient_whole},
                         {"block_act_grad_space", block.gradient_bytes},
                         {"block_optimizer_space", memory.block_optimizer}});
}

void add_memory(Stats& out, const Execution& execution, const StepMemory& memory) {
  const auto checkpoint = execution.training ? std::optional(memory.checkpoint_resident) : std::nullopt;
  out.insert(out.end(), {{"weight_space_with_offload", memory.weight_resident},
                         {"act_space_with_offload", memory.activation_resident},
                         {"act_checkpoint_size_with_offload", checkpoint},
                         {"act_grad_space_with_offload", memory.activation_gradient},
                         {"weight_grad_space_with_offload", memory.weight_gradient_resident},
                         {"optimizer_space_with_offload", memory.optimizer_resident},
                         {"weight_space", memory.weight},
                         {"act_space", memory.activation},
                         {"act_checkpoint_size", memory.checkpoint},
                         {"act_grad_space", memory.activation_gradient},
                         {"weight_grad_space", memory.weight_gradient},
                         {"optimizer_space", memory.optimizer}});
}

void add_step(Stats& out, const Step& step) {
  const StepTime& time = step.time;
  const RequiredBandwidth& required = step.required;
  out.insert(out.end(), {{"fw_time", time.forward_s},
                         {"bw_time", time.backward_s},
                         {"optim_step_time", time.optimizer_s},
                         {"recompute_time", time.recompute_s},
                         {"recomm_link_time", time.repeated_link_s},
                         {"recomm_exposed_time", time.repeated_exposed_s},
                         {"bubble_time", time.bubble_s},
                         {"tp_comm_link_time", time.tensor_link_s},
                         {"pp_comm_link_time", time.pipeline_link_s},
                         {"dp_comm_link_time", time.data_link_s},
                         {"tp_comm_exposed_time", time.tensor_exposed_s},
                         {"pp_comm_exposed_time", time.pipeline_exposed_s},
                         {"dp_comm_exposed_time", time.data_exposed_s},
                         {"fw_offload_exposed_time", time.forward_offload_s},
                         {"bw_offload_exposed_time", time.backward_offload_s},
                         {"total_time", time.total_s},
                         {"act_offload_bw_req", required.activation_offload},
                         {"weight_offload_bw_req", required.weight_offload},
                         {"optim_offload_bw_req", required.optimizer_offload},
                         {"offload_mem_bw_req", required.offload},
                         {"proc_mem_tier1_cap_req", step.memory.tier1},
                         {"proc_mem_tier2_cap_req", step.memory.tier2},
                         {"useful_flops", step.useful_flops},
                         {"compute_efficiency", step.compute_efficiency},
                         {"system_efficiency", step.system_efficiency},
                         {"total_efficiency", step.total_efficiency},
                         {"sample_rate", step.sample_rate}});
}

}  // namespace

std::vector<Stat> stats(const Execution& execution, const BlockCost& block, const Step& step) {
  Stats out;
  out.reserve(96);
  add_passes(out, block, step.optimizer);
  add_sizes(out, block, step);
  add_memory(out, execution, step.memory);
  add_step(out, step);
  return out;
}

void add_assay_stats(std::vector<Stat>& out, const Step& step) {
  out.insert(out.end(), {{"ep_comm_exposed_time", step.time.expert_exposed_s},
                         {"cp_comm_exposed_time", step.time.context_exposed_s},
                         {"embedding_head_time", step.time.ends_s},
                         {"embedding_head_space", step.memory.ends},
                         {"last_stage_mem_tier1_cap_req", step.memory.last_stage_tier1}});
}

}  // namespace assay::model
