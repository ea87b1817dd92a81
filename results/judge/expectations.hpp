// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Times held against what a model expects of them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "results/judge/verdicts.hpp"
#include "results/table/table.hpp"

namespace assay::results {

struct ExpectedTime {
  std::string unit, kind, metric;  // "h3/gpu2", "gpu", "gemm.cuda.matmul/m=8192,..."
  std::string run;
  std::string origin = "measured";  // or what the time is else
  std::string what;                 // as the model names it
  Number measured_us = {};          // with its interval
  std::optional<double> expected_us = {};
  std::string why_not = {};  // judged, though there is an expectation
};

struct ExpectedTimes {
  std::vector<ExpectedTime> times;
  std::size_t together = 0;  // points left out: measured in a burn-in's rounds together
};

/// PASS where the whole interval is at most `margin` longer than expected, FAIL where all of it is longer,
/// else INCONCLUSIVE; excused without an expectation. What is far faster than expected passes, and the row
/// says that the model may be another machine's. Where nothing has an expectation the whole is not run.
/// `source` is who expects.
Verdicts judge_expectations(std::span<const ExpectedTime> times, double margin, const std::string& source);

}  // namespace assay::results
