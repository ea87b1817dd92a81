// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Memory of processor 0 of the pipeline: all it holds, and the part that stays of what is offloaded.
#include <algorithm>
#include <cmath>

#include "model/reference/sheet.hpp"

namespace assay::model::reference {
namespace {

void fill_classes(const Letters& x, Sheet& s) {
  const Real blocks = std::ceil(x.L / x.p);
  const Real in_flight = std::min(x.m, x.p) * (x.v > 1 ? 1 + (x.p - 1) / (x.v * x.p) : 1);
  const Real working = s["block_act_working_space"], stored = s["block_act_storage_space"];
  const Real block_gradient = s["block_weight_grad_space"], whole = s["block_weight_grad_space_no_sharding"];
  s.set(".blocks", blocks);
  s.set("weight_space", blocks * s["block_weight_space"]);
  s.set("act_space", x.training && !x.full() ? working + stored * (blocks * in_flight - 1) : working);
  s.set("act_checkpoint_size", blocks * in_flight * s["block_act_checkpoint_size"]);
  s.set("act_grad_space", s["block_act_grad_space"]);
  s.set("weight_grad_space", whole + block_gradient * (blocks - 1));
  s.set("optimizer_space", blocks * s["block_optimizer_space"]);
  s.set("weight_space_with_offload", 2 * s["block_weight_space"]);
  s.set("act_space_with_offload", working + stored);
  s.set("act_checkpoint_size_with_offload", 2 * s["block_act_checkpoint_size"]);
  s.set("act_grad_space_with_offload", s["block_act_grad_space"]);
  s.set("weight_grad_space_with_offload", whole + block_gradient);
  s.set("optimizer_space_with_offload", 2 * s["block_optimizer_space"]);
}

}  // namespace

void fill_memory(const Letters& x, Sheet& s) {
  fill_classes(x, s);
  const auto stays = [&](bool away, const std::string& name) {
    return s[away ? name + "_with_offload" : name];
  };
  s.set("proc_mem_tier1_cap_req",
        stays(x.weight_offload, "weight_space") + stays(x.activation_offload, "act_space") +
            stays(x.activation_offload, "act_checkpoint_size") + stays(false, "act_grad_space") +
            stays(x.optimizer_offload, "weight_grad_space") + stays(x.optimizer_offload, "optimizer_space"));
  const Real weights = x.weight_offload ? s["weight_space"] : 0;
  const Real activations = !x.activation_offload ? 0 : s[x.full() ? "act_checkpoint_size" : "act_space"];
  const Real optimizer =
      x.optimizer_offload ? s["optimizer_space"] + s[".blocks"] * s["block_weight_grad_space"] : 0;
  s.set("proc_mem_tier2_cap_req", weights + activations + optimizer);
}

}  // namespace assay::model::reference
