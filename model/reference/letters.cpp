// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/reference/letters.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace assay::model::reference {
namespace {

using nlohmann::json;

Table read_table(const json& owner, const char* peak_key, double peak_unit, const char* key, double unit) {
  Table read{.peak = static_cast<Real>(owner.at(peak_key).get<double>()) * peak_unit, .rows = {}};
  for (const json& row : owner.at(key))
    read.rows.emplace_back(row[0].get<double>() * unit, row[1].get<double>());
  return read;
}

Tier read_tier(const json& network) {
  Tier read{.rate = static_cast<Real>(network.at("bandwidth").get<double>()) * 1e9L *
                    static_cast<Real>(network.at("efficiency").get<double>()),
            .latency = network.at("latency").get<double>(),
            .usage = network.at("processor_usage").get<double>(),
            .size = network.at("size").get<double>(),
            .must_be_filled = network.at("must_be_filled").get<bool>(),
            .scalar = {},
            .offset = {}};
  const std::array<const char*, 4> names = {"p2p", "reduce_scatter", "all_gather", "all_reduce"};
  for (std::size_t op = 0; op < names.size(); ++op) {
    const json& pair = network.at("ops").at(names[op]);
    read.scalar[op] = pair[0].get<double>();
    read.offset[op] = pair[1].is_null() ? 0 : pair[1].get<double>();
  }
  return read;
}

Real width(const std::string& datatype) {
  if (datatype == "float8") return 1;
  return datatype == "float32" ? 4 : 2;
}

void read_execution_letters(const json& execution, Letters& x) {
  const auto number = [&](const char* key) { return static_cast<Real>(execution.at(key).get<double>()); };
  const auto net = [&](const char* key) { return execution.at(key).get<std::size_t>(); };
  const auto flag = [&](const char* key) { return execution.at(key).get<bool>(); };
  const auto word = [&](const char* key) { return execution.at(key).get<std::string>(); };
  x.n = number("num_procs"), x.t = number("tensor_par"), x.p = number("pipeline_par");
  x.d = number("data_par"), x.B = number("batch_size"), x.b = number("microbatch_size");
  x.v = number("pipeline_interleaving");
  x.tensor_net = net("tensor_par_net"), x.pipeline_net = net("pipeline_par_net");
  x.data_net = net("data_par_net");
  x.datatype = word("datatype"), x.attention = word("attention_type");
  x.recompute = word("activation_recompute"), x.comm = word("tensor_par_comm_type");
  x.overlap = word("tensor_par_overlap");
  x.fused = flag("fused_activation"), x.sharding = flag("optimizer_sharding");
  x.redo = flag("seq_par_ag_redo"), x.hidden_gradients = flag("data_par_overlap");
  x.weight_offload = flag("weight_offload"), x.activation_offload = flag("activations_offload");
  x.optimizer_offload = flag("optimizer_offload"), x.training = flag("training");
}

void read_system_letters(const json& system, Letters& x) {
  x.roofline = system.at("processing_mode") == "roofline";
  x.has_datatype = system.at("matrix").contains(x.datatype) && system.at("vector").contains(x.datatype);
  if (x.has_datatype) {
    x.matrix = read_table(system["matrix"][x.datatype], "tflops", 1e12, "gflops_efficiency", 1e9);
    x.vector = read_table(system["vector"][x.datatype], "tflops", 1e12, "gflops_efficiency", 1e9);
  }
  x.mem1 = read_table(system.at("mem1"), "GBps", 1e9, "MB_efficiency", 1e6);
  x.mem2 = read_table(system.at("mem2"), "GBps", 1e9, "MB_efficiency", 1e6);
  x.capacity1 = system["mem1"].at("GiB").get<double>() * 1073741824.0;
  x.capacity2 = system["mem2"].at("GiB").get<double>() * 1073741824.0;
  for (const json& network : system.at("networks")) x.tiers.push_back(read_tier(network));
}

}  // namespace

Letters::Letters(const json& application, const json& execution, const json& system) {
  const auto size = [&](const char* key) { return static_cast<Real>(application.at(key).get<double>()); };
  h = size("hidden"), f = size("feedforward"), s = size("seq_size");
  a = size("attn_heads"), e = size("attn_size"), L = size("num_blocks");
  read_execution_letters(execution, *this);
  read_system_letters(system, *this);
  w = width(datatype);
  T = b * s;
  X = T * h;
  Xs = std::floor(T / t) * h;
  Q = split() ? Xs : X;
  m = std::floor(B / (d * b));
  R = sharding ? d : 1;
}

Real Letters::together(Real compute_s, Real memory_s) const {
  return roofline ? std::max(compute_s, memory_s) : compute_s + memory_s;
}

Real Table::seconds(Real amount) const {
  for (const auto& [threshold, efficiency] : rows)
    if (amount >= threshold) return amount / (peak * efficiency);
  return 0;
}

Real Tier::seconds(Op op, Real S, Real n) const {
  if (op == Op::nothing) return 0;
  const auto i = static_cast<std::size_t>(op);
  return latency + S * scalar[i] * (1 + offset[i] / n) / rate;
}

}  // namespace assay::model::reference
