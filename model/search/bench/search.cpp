// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The exhaustive search of 1T parameters on 4,096 processors, batch 3,072, with a second memory: 10,295,264
// mappings of Calculon's, twice as many of assay's.
#include "model/search/search.hpp"

#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include "model/search/tests/published.hpp"

namespace assay::model {
namespace {

double peak_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void exhaustive(benchmark::State& state, const Question& asked) {
  SearchResult result;
  for ([[maybe_unused]] auto _ : state)
    result = search(asked, {.top = 10, .threads = static_cast<unsigned>(state.range(0))});
  state.counters["enumerated"] = static_cast<double>(result.enumerated);
  state.counters["placed"] = static_cast<double>(result.placed);
  state.counters["feasible"] = static_cast<double>(result.feasible);
  state.counters["evaluated"] = static_cast<double>(result.evaluated);
  state.counters["samples_per_s"] = result.best.empty() ? 0 : result.best[0].sample_rate;
  state.counters["peak_mib"] = peak_mib();
}

Question asked_1t() { return question(megatron_1t(), h100_nvl8(512), 4096, 3072); }

void exhaustive_1t(benchmark::State& state) { exhaustive(state, asked_1t()); }
BENCHMARK(exhaustive_1t)->ArgName("threads")->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);

/// With attention fused and not, an embedding and a head: twice as many.
void exhaustive_1t_by_assay(benchmark::State& state) {
  Question asked = asked_1t();
  asked.application.vocabulary = 51200;
  asked.system.fixes = Fixes::all();
  asked.model = Model::assay;
  exhaustive(state, asked);
}
BENCHMARK(exhaustive_1t_by_assay)
    ->ArgName("threads")
    ->Arg(1)
    ->Arg(2)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

/// Eight experts of the same 22B model, and the ways to spread them.
void exhaustive_experts_by_assay(benchmark::State& state) {
  Question asked = question({.hidden = 6144,
                             .feedforward = 24576,
                             .seq_size = 2048,
                             .attn_heads = 64,
                             .attn_size = 96,
                             .num_blocks = 48,
                             .experts = 8,
                             .experts_per_token = 2},
                            h100_nvl8(512), 1024, 1024);
  asked.system.fixes = Fixes::all();
  asked.model = Model::assay;
  exhaustive(state, asked);
}
BENCHMARK(exhaustive_experts_by_assay)
    ->ArgName("threads")
    ->Arg(2)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace assay::model

BENCHMARK_MAIN();
