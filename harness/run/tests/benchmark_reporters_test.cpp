// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/run/benchmark/benchmark_reporters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"

namespace assay::run {
namespace {

using Run = benchmark::BenchmarkReporter::Run;

Run run_of(const std::string& name, std::int64_t repetition) {
  Run run;
  run.run_name.function_name = name;
  run.repetition_index = repetition;
  run.cpu_accumulated_time = 9;  // of the whole measurement
  run.time_unit = benchmark::kMicrosecond;
  return run;
}

Run aggregate(const std::string& name, benchmark::StatisticUnit unit) {
  Run run = run_of("a", Run::no_repetition_index);
  run.run_type = Run::RT_Aggregate;
  run.aggregate_name = name;
  run.aggregate_unit = unit;
  run.iterations = 3;
  return run;
}

TEST(BenchmarkReporters, GiveTheCpuTimeOfOneIterationInsteadOfTheWholeMeasurement) {
  const auto runs = with_cpu_times({run_of("a", 0), run_of("a", 1), run_of("b", 0)}, {{"a", {2e-6, 4e-6}}});
  EXPECT_DOUBLE_EQ(runs[0].GetAdjustedCPUTime(), 2);
  EXPECT_DOUBLE_EQ(runs[1].GetAdjustedCPUTime(), 4);
  EXPECT_DOUBLE_EQ(runs[2].GetAdjustedCPUTime(), 0);  // never measured
}

TEST(BenchmarkReporters, AggregateCpuTimesAsTheLibraryDoes) {
  const auto runs =
      with_cpu_times({aggregate("mean", benchmark::kTime), aggregate("median", benchmark::kTime),
                      aggregate("stddev", benchmark::kTime), aggregate("cv", benchmark::kPercentage)},
                     {{"a", {2e-6, 4e-6, 9e-6}}});
  EXPECT_NEAR(runs[0].GetAdjustedCPUTime(), 5, 1e-9);
  EXPECT_NEAR(runs[1].GetAdjustedCPUTime(), 4, 1e-9);
  EXPECT_NEAR(runs[2].GetAdjustedCPUTime(), 3.605551275, 1e-6);  // sqrt((9 + 1 + 16) / 2)
  EXPECT_NEAR(runs[3].cpu_accumulated_time, 0.721110255, 1e-6);
}

TEST(BenchmarkReporters, TheLastOfSeveralFlagsCounts) {
  EXPECT_EQ(benchmark_setting({"--benchmark_format=json", "--benchmark_format=csv"}, "format"), "csv");
  EXPECT_EQ(benchmark_setting({"--benchmark_out_format=csv"}, "out"), "");
}

TEST(BenchmarkReporters, AreThereWhereAsked) {
  const CpuTimes times;
  EXPECT_EQ(display_reporter({}, times), nullptr);
  EXPECT_EQ(file_reporter({"--benchmark_out_format=csv"}, times), nullptr);
  EXPECT_NE(display_reporter({"--benchmark_format=csv"}, times), nullptr);
  EXPECT_NE(file_reporter({"--benchmark_out=f"}, times), nullptr);
}

TEST(BenchmarkReporters, RefuseAFormatThatTheyDoNotHave) {
  const auto refuses = [](const std::string& flag, auto reporter) {
    try {
      reporter({"--benchmark_out=f", flag}, {});
      return std::string();
    } catch (const core::Error& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(refuses("--benchmark_format=xml", display_reporter),
            "--benchmark_format=xml: expected console, json or csv");
  EXPECT_EQ(refuses("--benchmark_out_format=xml", file_reporter),
            "--benchmark_out_format=xml: expected console, json or csv");
}

}  // namespace
}  // namespace assay::run
