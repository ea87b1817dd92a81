// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The cost of a line of `assay predict --batch`, without files: read, evaluated, and answered. The same line
// again and again, and lines that differ in all of the three; and its parts.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "model/json/json_document.hpp"
#include "model/predict/answer/batch_answers.hpp"

namespace assay::model {
namespace {

constexpr int different_lines = 512;

/// 22 billion parameters on 8 processors of an 8-GPU domain; `which` varies a number in each part.
std::string line_of(int which) {
  return fmt::format(
      R"({{"application": {{"name": "megatron-22B", "seq_size": {}, "hidden": 6144, "feedforward": 24576, )"
      R"("attn_heads": 64, "attn_size": 96, "num_blocks": 48}}, )"
      R"("execution": {{"num_procs": 8, "tensor_par": 8, "pipeline_par": 1, "data_par": 1, )"
      R"("tensor_par_net": 0, "pipeline_par_net": 1, "data_par_net": 1, "batch_size": {}, )"
      R"("microbatch_size": 4, "datatype": "float16", "fused_activation": false, )"
      R"("attention_type": "multihead", "activation_recompute": "full", "pipeline_interleaving": 1, )"
      R"("optimizer_sharding": false, "tensor_par_comm_type": "ar", "tensor_par_overlap": "none", )"
      R"("seq_par_ag_redo": false, "data_par_overlap": false, "weight_offload": false, )"
      R"("activations_offload": false, "optimizer_offload": false, "training": true}}, )"
      R"("system": {{"matrix": {{"float16": {{"tflops": 312, "gflops_efficiency": )"
      R"([[128, 0.99], [96, 0.92], [64, 0.87], [32, 0.85], [16, 0.7], [4, 0.4], [0, 0.01]]}}}}, )"
      R"("vector": {{"float16": {{"tflops": 78, "gflops_efficiency": [[128, 0.99], [1, 0.6], [0, 0.01]]}}}}, )"
      R"("mem1": {{"GiB": 80, "GBps": 2039.{:03}, "MB_efficiency": )"
      R"([[100, 0.99], [50, 0.98], [25, 0.9], [10, 0.85], [1, 0.6], [0, 0.3]]}}, )"
      R"("mem2": {{"GiB": 0, "GBps": 100, "MB_efficiency": [[0, 1.0]]}}, "processing_mode": "no_overlap", )"
      R"("networks": [{{"bandwidth": 300, "efficiency": 0.65, "size": 8, "latency": 0.00001, "ops": )"
      R"({{"p2p": [1.0, null], "reduce_scatter": [1.0, -1], "all_gather": [1.0, -1], "all_reduce": [2.0, -1]}}, )"
      R"("must_be_filled": true, "processor_usage": 0.15}}, )"
      R"({{"bandwidth": 25, "efficiency": 0.9, "size": 65536, "latency": 0.00002, "ops": )"
      R"({{"p2p": [1.0, null], "reduce_scatter": [1.0, -1], "all_gather": [1.0, -1], "all_reduce": [2.0, -1]}}, )"
      R"("must_be_filled": false, "processor_usage": 0.02}}]}}}})",
      2048 + 8 * which, 4 * (which + 1), which);
}

std::vector<std::string> lines(int count) {
  std::vector<std::string> all;
  for (int which = 0; which < count; ++which) all.push_back(line_of(which));
  return all;
}

void answer(benchmark::State& state, const std::vector<std::string>& all) {
  BatchAnswers batch("batch.jsonl", {});
  std::string answers;
  std::size_t next = 0;
  for ([[maybe_unused]] auto _ : state) {
    answers.clear();
    batch.answer(all[next], answers);
    next = next + 1 == all.size() ? 0 : next + 1;
    benchmark::DoNotOptimize(answers.data());
  }
  if (batch.rejected() > 0) state.SkipWithError(batch.first_message().c_str());
}

void one_line_again(benchmark::State& state) { answer(state, lines(1)); }
BENCHMARK(one_line_again);

void lines_that_differ(benchmark::State& state) { answer(state, lines(different_lines)); }
BENCHMARK(lines_that_differ);

void parse_alone(benchmark::State& state) {
  const std::string line = line_of(0);
  JsonDocument document("");
  for ([[maybe_unused]] auto _ : state) {
    document.read("batch.jsonl: ", line);
    benchmark::DoNotOptimize(document.root().size());
  }
}
BENCHMARK(parse_alone);

void read_and_evaluate_alone(benchmark::State& state) {
  const JsonDocument document("batch.jsonl: ", line_of(0));
  const JsonValue line = document.root();
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(
        predict(read_configuration(line.find("application"), line.find("execution"), line.find("system"), {}))
            .step.time.total_s);
}
BENCHMARK(read_and_evaluate_alone);

void write_alone(benchmark::State& state) {
  const JsonDocument document("batch.jsonl: ", line_of(0));
  const JsonValue line = document.root();
  const Configuration configuration =
      read_configuration(line.find("application"), line.find("execution"), line.find("system"), {});
  const Prediction prediction = predict(configuration);
  std::string text;
  for ([[maybe_unused]] auto _ : state) {
    text.clear();
    append_json(text, configuration, prediction);
    benchmark::DoNotOptimize(text.data());
  }
}
BENCHMARK(write_alone);

}  // namespace
}  // namespace assay::model

BENCHMARK_MAIN();
