// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/reference/answer.hpp"

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace assay::model::reference {
namespace {

std::string layout_reason(const Letters& x) {
  for (std::size_t i = 0; i < x.tiers.size(); ++i) {
    const Real placed =
        (x.tensor_net == i ? x.t : 1) * (x.pipeline_net == i ? x.p : 1) * (x.data_net == i ? x.d : 1);
    const std::string tier = "Network tier" + std::to_string(i);
    if (placed > 1 && placed > x.tiers[i].size) return tier + " isn't big enough";
    if (placed > 1 && x.tiers[i].must_be_filled && std::fmod(x.tiers[i].size, placed) != 0)
      return tier + " isn't fully used";
  }
  const Real blocks = std::ceil(x.L / x.p);
  if (x.v > blocks)
    return "Pipeline interleaving must be less than or equal to the number of blocks per processor";
  if (std::fmod(blocks, x.v) != 0)
    return "Pipeline interleaving must be a factor value of the number of blocks per processor";
  const bool offload = x.weight_offload || x.activation_offload || x.optimizer_offload;
  if (offload && blocks < 3) return "Offloading requires each processor to handle at least 3 blocks";
  return "";
}

/// `rounding`: by what rounding may have changed a size.
std::string memory_reason(const Letters& x, const Sheet& sheet, double rounding = 1) {
  const auto needs = [](int tier, double bytes, double capacity) {
    return "Mem tier" + std::to_string(tier) + " needs " + size_text(bytes) + " but only has " +
           size_text(capacity);
  };
  const auto first = static_cast<double>(sheet["proc_mem_tier1_cap_req"]);
  const auto second = static_cast<double>(sheet["proc_mem_tier2_cap_req"]);
  if (first > x.capacity1) return needs(1, first * rounding, x.capacity1);
  if (second > x.capacity2) return needs(2, second * rounding, x.capacity2);
  return "";
}

}  // namespace

std::string size_text(double bytes) {
  const std::string prefixes[] = {"", "k", "M", "G", "T", "P", "E"};
  std::size_t i = 0;
  while (bytes >= 1024 && i < 6) bytes /= 1024, ++i;
  char text[400];
  std::snprintf(text, sizeof text, "%.3f %siB", bytes, prefixes[i].c_str());
  return text;
}

std::vector<std::string> refusals(const Letters& x) {
  std::vector<std::string> keys;
  const auto rule = [&](const char* key, bool holds) {
    if (!holds) keys.emplace_back(key);
  };
  const auto divides = [](Real part, Real whole) { return std::fmod(whole, part) == 0; };
  rule("num_procs", x.n == x.t * x.p * x.d);
  rule("batch_size", divides(x.d, x.B));
  rule("microbatch_size", divides(x.b, std::floor(x.B / x.d)) && x.B >= x.d);
  rule("optimizer_sharding", !x.sharding || x.d > 1);
  rule("data_par_overlap", !x.hidden_gradients || (x.d > 1 && x.training));
  rule("tensor_par_overlap", x.overlap == "none" || x.t > 1);
  rule("seq_par_ag_redo", !x.redo || (x.comm == "rs_ag" && !x.full()));
  rule("pipeline_interleaving", x.p > 1 || x.v == 1);
  rule("activation_recompute", x.training || x.recompute == "none");
  rule("optimizer_offload", x.training || !x.optimizer_offload);
  rule("tensor_par", divides(x.t, x.h) && divides(x.t, x.f) && divides(x.t, x.a) &&
                         (x.comm == "ar" || divides(x.t, x.b * x.s)));
  rule("tensor_par_net", x.tensor_net < x.tiers.size());
  rule("pipeline_par_net", x.pipeline_net < x.tiers.size());
  rule("data_par_net", x.data_net < x.tiers.size());
  rule("datatype", x.has_datatype);
  return keys;
}

Answer answer(const nlohmann::json& application, const nlohmann::json& execution,
              const nlohmann::json& system) {
  const Letters x(application, execution, system);
  Answer said{.refused = refusals(x), .reason = {}, .nearby = {}, .sheet = {}};
  if (!said.refused.empty()) return said;
  said.reason = layout_reason(x);
  if (!said.reason.empty()) return said;
  fill_block(x, said.sheet);
  fill_memory(x, said.sheet);
  fill_passes(x, said.sheet);
  fill_data_parallel(x, said.sheet);
  fill_step(x, said.sheet);
  said.reason = memory_reason(x, said.sheet);
  for (const double rounding : {1 - 1e-14, 1 + 1e-14})
    said.nearby.push_back(memory_reason(x, said.sheet, rounding));
  return said;
}

}  // namespace assay::model::reference
