// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/tests/random_configurations.hpp"

#include <cmath>

namespace assay::model {
namespace {

Staircase staircase(double peak) {
  return Staircase({{1e9, 1 / (peak * 0.9)}, {1e6, 1 / (peak * 0.5)}, {0, 1 / (peak * 0.1)}});
}

}  // namespace

bool is_number_or_unbounded(const Configuration& configuration, const Stat& stat) {
  if (!stat.value || std::isfinite(*stat.value)) return true;
  return configuration.system.roofline && *stat.value > 0 && stat.name.ends_with("_bw_req");
}

Configuration RandomConfigurations::next() {
  for (;;) {
    Configuration drawn{.application = application(), .execution = execution(), .system = system()};
    if (misfit(drawn.application, drawn.execution, drawn.system).empty()) return drawn;
  }
}

Configuration RandomConfigurations::next_extended() {
  for (;;) {
    Configuration drawn = next();
    extend(drawn);
    if (misfit(drawn.application, drawn.execution, drawn.system).empty()) return drawn;
  }
}

void RandomConfigurations::extend(Configuration& configuration) {
  Application& a = configuration.application;
  Execution& e = configuration.execution;
  configuration.model = Model::assay;
  configuration.system.fixes = Fixes::all();
  if (coin()) a.kv_heads = a.attn_heads / pick({1, 2, 4, 8});
  a.gated_mlp = coin();
  a.vocabulary = pick({0, 32'000, 51'200});
  a.tied_embedding = a.vocabulary > 0 && coin();
  if (coin()) {
    a.experts = pick({8, 16});
    a.experts_per_token = pick({1, 2, 4});
    a.capacity_factor = real(1, 2);
    e.tensor_par_overlap = TensorParOverlap::none;
    e.expert_par = pick({1, 2, 4, 8});
  }
  e.fused_attention = coin();
  e.expert_par_net = e.data_par_net;
}

Application RandomConfigurations::application() {
  const std::int64_t heads = pick({8, 16, 24, 96, 128});
  const std::int64_t size = pick({32, 64, 128, 160});
  return {.hidden = heads * size,
          .feedforward = 4 * heads * size,
          .seq_size = pick({512, 1024, 2048, 8192}),
          .attn_heads = heads,
          .attn_size = size,
          .num_blocks = pick({12, 24, 48, 96, 105, 128})};
}

Execution RandomConfigurations::execution() {
  Execution e;
  e.tensor_par = pick({1, 2, 4, 8});
  e.pipeline_par = pick({1, 2, 4, 5, 8, 12});
  e.data_par = pick({1, 2, 4, 16});
  e.num_procs = e.tensor_par * e.pipeline_par * e.data_par;
  e.tensor_par_net = coin() ? 1 : 0;
  e.pipeline_par_net = coin() ? 1 : 0;
  e.data_par_net = coin() ? 1 : 0;
  e.microbatch_size = pick({1, 2, 4});
  e.batch_size = e.data_par * e.microbatch_size * pick({1, 3, 4, 16, 60});
  e.fused_activation = coin();
  e.attention = coin() ? Attention::multihead : Attention::multiquery;
  e.recompute = static_cast<Recompute>(pick({0, 1, 2}));
  e.interleaving = pick({1, 1, 2, 3, 4});
  e.optimizer_sharding = coin();
  e.tensor_par_comm = static_cast<TensorParComm>(pick({0, 1, 2}));
  e.tensor_par_overlap = static_cast<TensorParOverlap>(pick({0, 1, 2}));
  e.seq_par_ag_redo = coin();
  e.data_par_overlap = coin();
  e.weight_offload = coin();
  e.activations_offload = coin();
  e.optimizer_offload = coin();
  e.training = pick({0, 1, 1, 1}) == 1;
  return e;
}

System RandomConfigurations::system() {
  System s;
  const double tflops = real(100, 2000) * 1e12;
  s.matrix[1] = Engine{tflops, staircase(tflops)};
  s.vector[1] = Engine{tflops / 10, staircase(tflops / 10)};
  s.mem1 = {.capacity_bytes = real(20, 400) * 1e9, .peak_b_per_s = 3e12, .by_bytes = staircase(3e12)};
  s.mem2 = {.capacity_bytes = real(100, 4000) * 1e9, .peak_b_per_s = 1e11, .by_bytes = staircase(1e11)};
  s.roofline = coin();
  const std::array<Network::Operation, 4> ring = {{{1, 0}, {1, -1}, {1, -1}, {2, -1}}};
  s.networks = {{.bandwidth_b_per_s = real(1e11, 4e11),
                 .size = 8,
                 .latency_s = 1e-5,
                 .processor_usage = real(0, 0.3),
                 .operations = ring},
                {.bandwidth_b_per_s = real(1e10, 5e10),
                 .size = 1 << 20,
                 .latency_s = 2e-5,
                 .processor_usage = 0.02,
                 .operations = ring}};
  return s;
}

}  // namespace assay::model
