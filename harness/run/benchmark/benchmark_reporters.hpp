// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Google Benchmark's own output, with the CPU time of one iteration of what is measured. Left to itself the
// library reports that of the whole measurement, with preparing, warm-up and verification.
#pragma once

#include <benchmark/benchmark.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace assay::run {

/// CPU seconds of one iteration, by name of the run, one for each of Google Benchmark's repetitions. 0 where
/// nothing was measured.
using CpuTimes = std::map<std::string, std::vector<double>>;

/// The value of --benchmark_NAME=VALUE, the last one counts, or of the environment's BENCHMARK_NAME; "" where
/// neither is set.
std::string benchmark_setting(const std::vector<std::string>& flags, const std::string& name);

/// For --benchmark_format: console, json or csv. Null where none was asked for. `times` must outlive it.
std::unique_ptr<benchmark::BenchmarkReporter> display_reporter(const std::vector<std::string>& flags,
                                                               const CpuTimes& times);
/// For --benchmark_out in the form of --benchmark_out_format. Null without --benchmark_out.
std::unique_ptr<benchmark::BenchmarkReporter> file_reporter(const std::vector<std::string>& flags,
                                                            const CpuTimes& times);

/// The reports with their CPU time replaced.
std::vector<benchmark::BenchmarkReporter::Run> with_cpu_times(
    std::vector<benchmark::BenchmarkReporter::Run> reports, const CpuTimes& times);

}  // namespace assay::run
