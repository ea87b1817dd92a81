// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/run/benchmark/google_benchmark.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "harness/core/error.hpp"
#include "harness/run/benchmark/benchmark_filter.hpp"
#include "harness/run/benchmark/benchmark_reporters.hpp"

namespace assay::run {
namespace {

/// Our progress lines are the display where no format is asked for.
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

/// The words must live until the end: the library keeps the program's.
void initialize(std::vector<std::string>& words) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  int argc = static_cast<int>(argv.size());
  benchmark::Initialize(&argc, argv.data());
  if (argc > 1)
    core::usage_error(
        fmt::format("unknown flag '{}' (Google Benchmark's own flags start with --benchmark_)", argv[1]));
}

/// Google Benchmark itself would end the process with 1, after all was prepared.
void refuse_unwritable(const std::string& file) {
  if (!file.empty() && !std::ofstream(file, std::ios::app))
    core::usage_error(fmt::format("--benchmark_out={}: expected a file that can be written", file));
}

void add_context(const results::ContextRecord& context) {
  benchmark::AddCustomContext("assay_version", context.assay_version);
  benchmark::AddCustomContext("assay_source_revision", context.source_revision);
  benchmark::AddCustomContext("assay_origin", results::to_string(context.origin));
  benchmark::AddCustomContext("assay_plan", context.plan_name);
  benchmark::AddCustomContext("assay_real_time", "headline quantile of the time of one iteration");
  benchmark::AddCustomContext("assay_cpu_time", "CPU time of this process for one iteration, while sampling");
}

void register_point(const plan::PlannedPoint& point, const BenchmarkShell& shell, CpuTimes& times) {
  const std::string name = benchmark_name(point);
  const auto body = [&shell, &point, &times, name, repetition = 0](benchmark::State& state) mutable {
    for ([[maybe_unused]] auto _ : state) {
      const auto measured = shell.measure(point, repetition++);
      if (measured)
        hand_over(state, measured->record);
      else
        state.SkipWithError("not measured: the run is ending");
      times[name].push_back(measured ? measured->cpu_s.value_or(0) : 0);
    }
  };
  benchmark::RegisterBenchmark(name.c_str(), body)
      ->UseManualTime()
      ->Iterations(1)
      ->Unit(benchmark::kMicrosecond);
}

}  // namespace

bool asks_for_list(const std::vector<std::string>& flags) {
  return std::ranges::any_of(flags, [](const std::string& flag) {
    return flag == "--benchmark_list_tests" || flag == "--benchmark_list_tests=true" ||
           flag == "--benchmark_list_tests=1";
  });
}

bool prints_format(const std::vector<std::string>& flags) {
  const std::string format = benchmark_setting(flags, "format");
  return !format.empty() && format != "console";
}

void run_benchmarks(const std::vector<plan::PlannedPoint>& points, const BenchmarkShell& shell,
                    const results::ContextRecord& context) {
  CpuTimes times;
  const auto display = display_reporter(shell.flags, times);
  const auto file = file_reporter(shell.flags, times);
  refuse_unwritable(benchmark_setting(shell.flags, "out"));
  std::vector<std::string> words{context.command_line.front()};
  words.insert(words.end(), shell.flags.begin(), shell.flags.end());
  initialize(words);
  add_context(context);
  for (const plan::PlannedPoint& point : points) register_point(point, shell, times);
  Silent silent;
  benchmark::RunSpecifiedBenchmarks(display ? display.get() : &silent, file.get());
  benchmark::Shutdown();
}

}  // namespace assay::run
