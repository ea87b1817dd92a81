// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/read/read_extensions.hpp"

#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "model/predict/read/known_keys.hpp"
#include "model/predict/read/read.hpp"

namespace assay::model {
namespace {

using Names = std::span<const std::string_view>;

constexpr std::array<std::string_view, 4> execution_extension_keys = {"fused_attention", "expert_par",
                                                                      "expert_par_net", "parameter_sharding"};
constexpr std::array<std::string_view, 4> network_extension_keys = {"coefficients", "tier",
                                                                    "gradient_overlap", "gather_overlap"};
constexpr std::array<std::string_view, 5> operation_keys = {"p2p", "reduce_scatter", "all_gather",
                                                            "all_reduce", "all_to_all"};

void only_these(const JsonKeys& keys, Names own, Names extensions) {
  std::vector<std::string_view> all(own.begin(), own.end());
  all.insert(all.end(), extensions.begin(), extensions.end());
  keys.only(all);
}

std::optional<double> share_if_any(const JsonKeys& keys, const char* key) {
  if (!keys.has(key)) return std::nullopt;
  const double share = keys.number(key);
  if (share > 1) keys.fail(key, "a number from 0 to 1", keys.at(key));
  return share;
}

void read_experts(const JsonKeys& keys, Application& a) {
  if (keys.has("experts")) a.experts = keys.count("experts");
  for (const char* key : {"experts_per_token", "capacity_factor"})
    if (keys.has(key) && a.experts == 0) keys.fail(key, "experts with it");
  if (keys.has("experts_per_token")) a.experts_per_token = keys.count("experts_per_token");
  if (keys.has("capacity_factor")) a.capacity_factor = keys.above_zero("capacity_factor");
  if (a.experts > 0 && a.experts_per_token > a.experts)
    keys.fail("experts_per_token", "no more than there are experts", keys.at("experts_per_token"));
}

}  // namespace

void read_extensions(const JsonKeys& keys, Application& a) {
  keys.only(application_keys);
  if (keys.has("kv_heads")) a.kv_heads = keys.count("kv_heads");
  if (a.kv_heads > 0 && a.attn_heads % a.kv_heads != 0)
    keys.fail("kv_heads", "a divisor of attn_heads", keys.at("kv_heads"));
  if (keys.has("gated_mlp")) a.gated_mlp = keys.flag("gated_mlp");
  if (keys.has("vocabulary")) a.vocabulary = keys.count("vocabulary");
  if (keys.has("tied_embedding")) a.tied_embedding = keys.flag("tied_embedding");
  if (a.tied_embedding && a.vocabulary == 0) keys.fail("tied_embedding", "a vocabulary with it");
  read_experts(keys, a);
}

void read_extensions(const JsonKeys& keys, Names own, Execution& e) {
  only_these(keys, own, execution_extension_keys);
  if (keys.has("fused_attention")) e.fused_attention = keys.flag("fused_attention");
  if (keys.has("parameter_sharding")) e.parameter_sharding = keys.flag("parameter_sharding");
  e.expert_par_net = e.data_par_net;
  if (keys.has("expert_par")) e.expert_par = keys.count("expert_par");
  if (keys.has("expert_par_net"))
    e.expert_par_net = static_cast<std::size_t>(keys.whole("expert_par_net", 0));
}

void add_extensions(const Execution& e, nlohmann::json& json) {
  if (e.fused_attention) json["fused_attention"] = true;
  if (e.parameter_sharding) json["parameter_sharding"] = true;
  if (e.expert_par == 1) return;
  json["expert_par"] = e.expert_par;
  json["expert_par_net"] = e.expert_par_net;
}

void only_known_keys(const JsonKeys& system) {
  system.only(system_keys);
  for (const char* memory : {"mem1", "mem2"}) system.object(memory).only(memory_keys);
  for (const char* engine : {"matrix", "vector"}) {
    const JsonKeys types = system.object(engine);
    types.only(datatype_names);
    for (const std::string& type : types.names()) types.object(type).only(engine_keys);
  }
}

void read_extensions(const JsonKeys& keys, Names own, Network& network) {
  only_these(keys, own, network_extension_keys);
  if (keys.has("tier"))
    network.tier = keys.one_of("tier", fit::tier_names) == 0 ? fit::Tier::within : fit::Tier::over;
  network.gradient_overlap = share_if_any(keys, "gradient_overlap");
  network.gather_overlap = share_if_any(keys, "gather_overlap");
  const JsonKeys ops = keys.object("ops");
  ops.only(operation_keys);
  if (!ops.has("all_to_all")) return;
  const JsonValue pair = ops.at("all_to_all");
  if (pair.is_null()) {  // not measured
    network.all_to_all.scalar = std::numeric_limits<double>::quiet_NaN();
    return;
  }
  if (!pair.is_array() || pair.size() != 2 || !is_finite_number(pair[0]) || !is_finite_number(pair[1]) ||
      pair[0].get<double>() <= 0)
    ops.fail("all_to_all", "[scalar above 0, offset]", pair);
  network.all_to_all = {.scalar = pair[0].get<double>(), .offset = pair[1].get<double>()};
}

}  // namespace assay::model
