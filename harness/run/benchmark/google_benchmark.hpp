// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The one adaptor to Google Benchmark: each planned point is registered with manual time, one of its
// iterations is one whole measurement by our loop. Its filter, list, repetition and output flags then work on
// every module.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/plan/plan.hpp"
#include "harness/run/point_loop.hpp"
#include "results/record/record.hpp"

namespace assay::run {

struct BenchmarkShell {
  std::vector<std::string> flags;  // the --benchmark_* flags, as given
  /// Measures the point and writes it down; `repetition` counts Google Benchmark's own repetitions on top of
  /// the plan's. An empty optional: nothing was measured, because the run is ending.
  std::function<std::optional<Measured>(const plan::PlannedPoint&, int repetition)> measure;
};

/// True when these flags ask for a list of the points instead of measuring them.
bool asks_for_list(const std::vector<std::string>& flags);

/// True when standard output is for json or csv: nothing else may be written to it.
bool prints_format(const std::vector<std::string>& flags);

/// Throws a usage Error on a --benchmark_* flag or value that it does not know.
void run_benchmarks(const std::vector<plan::PlannedPoint>& points, const BenchmarkShell& shell,
                    const results::ContextRecord& context);

}  // namespace assay::run
