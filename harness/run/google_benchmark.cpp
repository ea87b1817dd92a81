// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/run/google_benchmark.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>

#include "harness/core/error.hpp"

namespace assay::run {
namespace {

/// Our progress lines are the display; Google Benchmark's own is used when its format is asked for by flag.
class Silent final : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>&) override {}
};

void hand_over(benchmark::State& state, const results::PointRecord& record) {
  if (!record.time) {
    state.SkipWithError(fmt::format("{}: {}", results::to_string(record.status), record.reason).c_str());
    return;
  }
  state.SetIterationTime(record.time->value_s);
  for (const results::Metric& metric : record.metrics) state.counters[metric.name] = metric.value;
  if (record.status != results::Status::ok) state.SkipWithError(record.reason.c_str());
}

void initialize(const std::string& program, const std::vector<std::string>& flags) {
  std::vector<std::string> words{program};
  words.insert(words.end(), flags.begin(), flags.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  int argc = static_cast<int>(argv.size());
  benchmark::Initialize(&argc, argv.data());
  if (argc > 1)
    core::usage_error(
        fmt::format("unknown flag '{}' (Google Benchmark's own flags start with --benchmark_)", argv[1]));
}

bool asks_for_format(const std::vector<std::string>& flags) {
  return std::ranges::any_of(flags,
                             [](const std::string& flag) { return flag.starts_with("--benchmark_format"); });
}

}  // namespace

bool asks_for_list(const std::vector<std::string>& flags) {
  return std::ranges::any_of(flags, [](const std::string& flag) {
    return flag == "--benchmark_list_tests" || flag == "--benchmark_list_tests=true" ||
           flag == "--benchmark_list_tests=1";
  });
}

void run_benchmarks(const std::string& program, const std::vector<plan::PlannedPoint>& points,
                    const BenchmarkShell& shell) {
  initialize(program, shell.flags);
  for (const plan::PlannedPoint& point : points) {
    const std::string suffix = point.repetition == 0 ? "" : fmt::format("#{}", point.repetition);
    const std::string name = fmt::format("{}/{}{}", point.benchmark->name, point.point.key(), suffix);
    const auto body = [&shell, &point, repetition = 0](benchmark::State& state) mutable {
      for ([[maybe_unused]] auto _ : state) {
        const auto record = shell.measure(point, repetition++);
        if (record)
          hand_over(state, *record);
        else
          state.SkipWithError("not measured: the run is ending");
      }
    };
    benchmark::RegisterBenchmark(name.c_str(), body)
        ->UseManualTime()
        ->Iterations(1)
        ->Unit(benchmark::kMicrosecond);
  }
  Silent silent;
  benchmark::RunSpecifiedBenchmarks(asks_for_format(shell.flags) ? nullptr : &silent);
  benchmark::Shutdown();
}

}  // namespace assay::run
