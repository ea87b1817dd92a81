// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The harness's own cost: the measuring loop per sample, over a trial that does nothing, and reading the
// clock. The loop's figure includes warm-up, every look of the stopping rule, and the statistics at the end.
#include <benchmark/benchmark.h>

#include <atomic>

#include "harness/core/measure/measure.hpp"

namespace assay::core {
namespace {

/// Returns a synthetic, slightly varying time at once: all time that passes is the loop's own.
class EmptyTrial final : public Trial {
 public:
  Timing do_run(std::int64_t iterations) override {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return {.seconds = static_cast<double>(iterations) * (1e-6 + 1e-9 * static_cast<double>(state_ >> 54))};
  }
  Verification do_verify() override { return {}; }

 private:
  std::uint64_t state_ = 1;
};

void loop_per_sample(benchmark::State& state) {
  const std::atomic<bool> interrupted{false};
  SteadyClock clock;
  MeasureOptions options;
  options.relative_width = 1e-9;  // never narrow enough: the sample limit ends it
  options.min_sample_seconds = 0;
  options.max_seconds = 1e6;
  options.max_samples = state.range(0);
  std::int64_t samples = 0;
  for ([[maybe_unused]] auto _ : state) {
    EmptyTrial trial;
    const Measurement measurement = measure(trial, options, clock, interrupted);
    samples += static_cast<std::int64_t>(measurement.samples_s.size()) + measurement.warmup.samples;
  }
  state.counters["per_sample"] = benchmark::Counter(
      static_cast<double>(samples), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(loop_per_sample)->RangeMultiplier(10)->Range(100, 100'000);

void steady_clock(benchmark::State& state) {
  SteadyClock clock;
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(clock.nanoseconds());
}
BENCHMARK(steady_clock);

}  // namespace
}  // namespace assay::core

BENCHMARK_MAIN();
