// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The cost of one evaluation once the files are read: whole, and with the block's cost shared as a search
// shares it.
#include <benchmark/benchmark.h>

#include <nlohmann/json.hpp>

#include "model/predict/answer/prediction.hpp"

namespace assay::model {
namespace {

System machine() {
  System s;
  const auto steps = [](double unit, double peak) {
    return Staircase({{128 * unit, 1 / (0.95 * peak)},
                      {16 * unit, 1 / (0.9 * peak)},
                      {unit, 1 / (0.6 * peak)},
                      {0, 10 / peak}});
  };
  s.matrix[1] = Engine{1e15, steps(1e9, 1e15)};
  s.vector[1] = Engine{1.2e14, steps(1e9, 1.2e14)};
  s.mem1 = {.capacity_bytes = 80e9, .peak_b_per_s = 3e12, .by_bytes = steps(1e6, 3e12)};
  s.mem2 = {.capacity_bytes = 512e9, .peak_b_per_s = 1e11, .by_bytes = steps(1e6, 1e11)};
  const std::array<Network::Operation, 4> ring = {{{1, 0}, {1, -1}, {1, -1}, {2, -1}}};
  s.networks = {
      {.bandwidth_b_per_s = 3e11, .size = 8, .latency_s = 1e-5, .processor_usage = 0.15, .operations = ring},
      {.bandwidth_b_per_s = 4.5e10,
       .size = 65536,
       .latency_s = 2e-5,
       .processor_usage = 0.02,
       .operations = ring}};
  return s;
}

/// The shape of the largest published case: 1T parameters on 4,096 processors, every overlap and every
/// offload on.
Configuration one_trillion() {
  Configuration c{.application = {}, .execution = {}, .system = machine()};
  c.application = {.hidden = 25600,
                   .feedforward = 102400,
                   .seq_size = 2048,
                   .attn_heads = 160,
                   .attn_size = 160,
                   .num_blocks = 128};
  Execution& e = c.execution;
  e.num_procs = 4096;
  e.tensor_par = 8, e.pipeline_par = 4, e.data_par = 128;
  e.pipeline_par_net = e.data_par_net = 1;
  e.batch_size = 3072;
  e.fused_activation = true;
  e.recompute = Recompute::attn_only;
  e.interleaving = 8;
  e.optimizer_sharding = true;
  e.tensor_par_comm = TensorParComm::rs_ag;
  e.tensor_par_overlap = TensorParOverlap::ring;
  e.data_par_overlap = true;
  e.weight_offload = e.activations_offload = e.optimizer_offload = true;
  return c;
}

void whole_evaluation(benchmark::State& state) {
  const Configuration c = one_trillion();
  for ([[maybe_unused]] auto _ : state) {
    const Prediction prediction = predict(c);
    if (!prediction.verdict.feasible()) state.SkipWithError("infeasible");
    benchmark::DoNotOptimize(prediction.step.time.total_s);
  }
}
BENCHMARK(whole_evaluation);

/// Evaluates by assay's model: faults fixed, with grouped queries, a gated MLP, fused attention, embedding
/// and head.
void whole_evaluation_of_assay(benchmark::State& state) {
  Configuration c = one_trillion();
  c.system.fixes = Fixes::all();
  c.application.kv_heads = 16;
  c.application.gated_mlp = true;
  c.application.vocabulary = 51200;
  c.execution.fused_attention = true;
  for ([[maybe_unused]] auto _ : state) {
    const Prediction prediction = predict(c);
    if (!prediction.verdict.feasible()) state.SkipWithError("infeasible");
    benchmark::DoNotOptimize(prediction.step.time.total_s);
  }
}
BENCHMARK(whole_evaluation_of_assay);

void shared_block(benchmark::State& state) {
  const Configuration c = one_trillion();
  const BlockCost block = block_cost(c.application, c.execution, c.system);
  Step step;
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(evaluate(c.application, c.execution, c.system, block, step));
    benchmark::DoNotOptimize(step.time.total_s);
  }
}
BENCHMARK(shared_block);

void rejected_for_memory(benchmark::State& state) {
  Configuration c = one_trillion();
  c.system.mem1.capacity_bytes = 1;
  const BlockCost block = block_cost(c.application, c.execution, c.system);
  Step step;
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(evaluate(c.application, c.execution, c.system, block, step));
}
BENCHMARK(rejected_for_memory);

}  // namespace
}  // namespace assay::model

BENCHMARK_MAIN();
