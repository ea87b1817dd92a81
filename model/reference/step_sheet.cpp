// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The step: blocks through the pipeline with what offloading adds, its parts and their sum, and efficiencies.
#include <algorithm>
#include <cmath>
#include <limits>

#include "model/reference/sheet.hpp"

namespace assay::model::reference {
namespace {

constexpr Real infinite_rate = std::numeric_limits<Real>::infinity();

struct Pass {
  std::string name;     // fw or bw
  Real base_s, edge_s;  // without offload
  Real memory_s;        // of which an offload cannot use
  Real moved;           // bytes a block
};

/// A window that is only a rounding error of the time counts as none.
Real free_window(const Pass& pass) {
  const Real least = std::min(pass.base_s, pass.edge_s);
  const Real left = least - pass.memory_s;
  return left > 1e-12L * least ? left : 0;
}

void require_of_offload(const std::string& name, Real bytes, const Pass& pass, Sheet& s) {
  const Real left = free_window(pass);
  s.set(name, bytes == 0 ? 0 : left == 0 ? infinite_rate : bytes / left);
  if (left > 0) s.set_doubt(name, 1e-13L * std::min(pass.base_s, pass.edge_s) / left);
}

void offload(const Letters& x, const Pass& pass, Sheet& s) {
  const Real transfer = x.mem2.seconds(pass.moved);
  const Real base = std::max<Real>(0, transfer + pass.memory_s - pass.base_s);
  const Real edge = std::max<Real>(0, transfer + pass.memory_s - pass.edge_s);
  const bool any = pass.moved > 0;
  s.set("." + pass.name + "_base", pass.base_s + (any ? base : 0));
  s.set("." + pass.name + "_edge", pass.edge_s + (any ? edge : 0));
  s.set(pass.name + "_offload_exposed_time", any ? x.m * x.v * (s[".nb"] * base + edge) : 0);
}

void fill_messages(const Letters& x, Sheet& s) {
  const Real bytes = x.p == 1 ? 0 : x.w * (x.comm == "ar" ? x.X : x.Xs);
  s.set("block_fw_pp_size", bytes);
  s.set("block_bw_pp_size", x.training ? bytes : 0);
  s.set(".pp_fw", x.pipeline_tier().seconds(Op::p2p, bytes, 2));
  s.set(".pp_bw", x.pipeline_tier().seconds(Op::p2p, x.training ? bytes : 0, 2));
}

Real kept(const Letters& x, const Sheet& s) {
  return s[x.full() ? "block_act_checkpoint_size" : "block_act_storage_space"];
}

Pass forward_pass(const Letters& x, const Sheet& s) {
  const Real weights = x.weight_offload ? s["block_weight_space"] : 0;
  return {.name = "fw",
          .base_s = s["block_fw_time"] + s["baseblock_fw_tp_time_exposed"],
          .edge_s = s["block_fw_time"] + s["edgeblock_fw_tp_time_exposed"] + s[".pp_fw"],
          .memory_s = s["block_fw_mem_time"],
          .moved = std::max(weights, x.activation_offload ? kept(x, s) : 0)};
}

Pass backward_pass(const Letters& x, const Sheet& s) {
  const Real layers = s["block_re_time"] + s["block_agrad_time"] + s["block_wgrad_time"];
  const Real moved = (x.weight_offload ? s["block_weight_space"] : 0) +
                     (x.activation_offload ? kept(x, s) : 0) +
                     (x.optimizer_offload ? s["block_optimizer_space"] : 0);
  return {.name = "bw",
          .base_s = layers + s["baseblock_recomm_time_exposed"] + s["baseblock_agrad_tp_time_exposed"],
          .edge_s = layers + s["edgeblock_recomm_time_exposed"] + s["edgeblock_agrad_tp_time_exposed"] +
                    s[".pp_bw"],
          .memory_s = s["block_agrad_mem_time"] + s["block_wgrad_mem_time"],
          .moved = x.training ? moved : 0};
}

void fill_requirements(const Letters& x, const Pass& fw, const Pass& bw, Sheet& s) {
  require_of_offload("act_offload_bw_req", kept(x, s), fw, s);
  require_of_offload("weight_offload_bw_req", s["block_weight_space"], fw, s);
  require_of_offload("optim_offload_bw_req", s["block_weight_grad_space"] + s["block_optimizer_space"], bw,
                     s);
  require_of_offload(".fw_req", fw.moved, fw, s);
  require_of_offload(".bw_req", bw.moved, bw, s);
  s.set("offload_mem_bw_req", std::max(s[".fw_req"], s[".bw_req"]));
  s.set_doubt("offload_mem_bw_req", std::max(s.doubt(".fw_req"), s.doubt(".bw_req")));
}

void fill_bubble(const Letters& x, Sheet& s) {
  const Real chunk = s[".fw_chunk"] + s[".bw_chunk"];
  const Real left = std::fmod(x.L, x.p), last = std::fmod(x.m, x.p);
  const Real edge = s[".fw_edge"] + s[".bw_edge"];
  const Real base = s[".fw_base"] + s[".bw_base"];
  const Real extra = last > 0 ? (x.v - 1) * (x.p - last) : 0;
  const Real cut = (left > 0 ? x.p - left : 0) * (s[".nb"] > 0 ? (base + edge) / 2 : edge);
  s.set("bubble_time", (x.p - 1) * chunk + extra * chunk - cut);
}

/// The sum over all microbatches and chunks, a chunk being `.nb` base blocks and one edge block.
Real through(const Letters& x, const Sheet& s, const std::string& name) {
  return x.m * x.v * (s[".nb"] * s["baseblock_" + name] + s["edgeblock_" + name]);
}

void fill_parts(const Letters& x, Sheet& s) {
  const Real blocks = s[".blocks"], all = blocks * x.m;
  s.set("fw_time", all * s["block_fw_time"]);
  s.set("bw_time", all * (s["block_agrad_time"] + s["block_wgrad_time"]));
  s.set("recompute_time", all * s["block_re_time"]);
  s.set("optim_step_time", blocks * s["block_optim_time"]);
  s.set("tp_comm_link_time", through(x, s, "fw_tp_time") + through(x, s, "agrad_tp_time"));
  s.set("tp_comm_exposed_time", through(x, s, "fw_tp_time_exposed") + through(x, s, "agrad_tp_time_exposed"));
  s.set("recomm_link_time", through(x, s, "recomm_time"));
  s.set("recomm_exposed_time", through(x, s, "recomm_time_exposed"));
  const Real messages = x.p == 1 ? 0 : x.m * x.v * (s[".pp_fw"] + (x.training ? s[".pp_bw"] : 0));
  s.set("pp_comm_link_time", messages);
  s.set("pp_comm_exposed_time", messages);
}

}  // namespace

void fill_passes(const Letters& x, Sheet& s) {
  s.set(".nb", s[".blocks"] / x.v - 1);
  fill_messages(x, s);
  const Pass fw = forward_pass(x, s), bw = backward_pass(x, s);
  fill_requirements(x, fw, bw, s);
  for (const Pass& pass : {fw, bw}) {
    offload(x, pass, s);
    s.set("." + pass.name + "_chunk", s[".nb"] * s["." + pass.name + "_base"] + s["." + pass.name + "_edge"]);
  }
}

void fill_step(const Letters& x, Sheet& s) {
  fill_parts(x, s);
  fill_bubble(x, s);
  Real total = 0;
  for (const char* part : {"fw_time", "bw_time", "optim_step_time", "fw_offload_exposed_time",
                           "bw_offload_exposed_time", "recompute_time", "recomm_exposed_time", "bubble_time",
                           "tp_comm_exposed_time", "pp_comm_exposed_time", "dp_comm_exposed_time"})
    total += s[part];
  const Real useful =
      s["block_fw_flops"] + s["block_agrad_flops"] + s["block_wgrad_flops"] + s["block_optim_flops"];
  const Real perfect = s[".blocks"] * x.m * useful / x.matrix.peak;
  const Real compute = s["fw_time"] + s["bw_time"] + s["optim_step_time"];
  s.set("total_time", total);
  s.set("useful_flops", useful);
  s.set("compute_efficiency", perfect / compute);
  s.set("system_efficiency", compute / total);
  s.set("total_efficiency", perfect / total);
  s.set("sample_rate", x.B / total);
}

}  // namespace assay::model::reference
