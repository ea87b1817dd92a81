// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/run/benchmark/benchmark_reporters.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "harness/core/error.hpp"
#include "harness/core/process/terminal.hpp"
#include "harness/core/statistics/statistics.hpp"

namespace assay::run {
namespace {

using Run = benchmark::BenchmarkReporter::Run;

template <typename Reporter>
class WithCpuTimes final : public Reporter {
 public:
  template <typename... Arguments>
  explicit WithCpuTimes(const CpuTimes& times, Arguments... arguments)
      : Reporter(arguments...), times_(times) {}
  void ReportRuns(const std::vector<Run>& reports) override {
    Reporter::ReportRuns(with_cpu_times(reports, times_));
  }

 private:
  const CpuTimes& times_;
};

/// As Google Benchmark has them of several repetitions: the deviation is that of a sample (n - 1).
double aggregate_of(const std::string& aggregate, const std::vector<double>& values) {
  if (values.empty()) return 0;
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  if (aggregate == "mean") return mean;
  if (aggregate == "median") return core::quantile_of(values, 0.5);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double deviation = n > 1 ? std::sqrt(squares / (n - 1)) : 0;
  if (aggregate == "stddev") return deviation;
  return aggregate == "cv" && mean > 0 ? deviation / mean : 0;
}

double cpu_time_of(const Run& run, const std::vector<double>& values) {
  if (run.run_type == Run::RT_Iteration) {
    const auto repetition = static_cast<std::size_t>(std::max<std::int64_t>(0, run.repetition_index));
    return repetition < values.size() ? values[repetition] : 0;
  }
  const double value = aggregate_of(run.aggregate_name, values);
  // A time is divided by the number of repetitions when it is printed, a ratio is not.
  return run.aggregate_unit == benchmark::kTime ? value * static_cast<double>(run.iterations) : value;
}

bool may_colour(const std::vector<std::string>& flags) {
  const std::string wanted = benchmark_setting(flags, "color");
  if (wanted.empty() || wanted == "auto") return !core::colours_are_refused() && isatty(STDOUT_FILENO) == 1;
  return wanted == "true" || wanted == "yes" || wanted == "on" || wanted == "1";
}

std::unique_ptr<benchmark::BenchmarkReporter> reporter_of(const std::string& setting,
                                                          const std::string& format, bool colour,
                                                          const CpuTimes& times) {
  if (format == "json") return std::make_unique<WithCpuTimes<benchmark::JSONReporter>>(times);
  if (format == "console")
    return std::make_unique<WithCpuTimes<benchmark::ConsoleReporter>>(
        times, colour ? benchmark::ConsoleReporter::OO_Color : benchmark::ConsoleReporter::OO_None);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  if (format == "csv") return std::make_unique<WithCpuTimes<benchmark::CSVReporter>>(times);
#pragma GCC diagnostic pop
  core::usage_error(fmt::format("--benchmark_{}={}: expected console, json or csv", setting, format));
}

}  // namespace

std::string benchmark_setting(const std::vector<std::string>& flags, const std::string& name) {
  const std::string start = "--benchmark_" + name + "=";
  for (auto flag = flags.rbegin(); flag != flags.rend(); ++flag)
    if (flag->starts_with(start)) return flag->substr(start.size());
  std::string variable = "BENCHMARK_" + name;
  for (char& letter : variable) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  const char* value = std::getenv(variable.c_str());
  return value == nullptr ? "" : value;
}

std::vector<Run> with_cpu_times(std::vector<Run> reports, const CpuTimes& times) {
  for (Run& run : reports) {
    const auto found = times.find(run.run_name.function_name);
    run.cpu_accumulated_time = found == times.end() ? 0 : cpu_time_of(run, found->second);
  }
  return reports;
}

std::unique_ptr<benchmark::BenchmarkReporter> display_reporter(const std::vector<std::string>& flags,
                                                               const CpuTimes& times) {
  const std::string format = benchmark_setting(flags, "format");
  return format.empty() ? nullptr : reporter_of("format", format, may_colour(flags), times);
}

std::unique_ptr<benchmark::BenchmarkReporter> file_reporter(const std::vector<std::string>& flags,
                                                            const CpuTimes& times) {
  if (benchmark_setting(flags, "out").empty()) return nullptr;
  const std::string format = benchmark_setting(flags, "out_format");
  return reporter_of("out_format", format.empty() ? "json" : format, false, times);
}

}  // namespace assay::run
