// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/record/time_summary.hpp"

namespace assay::results {

TimeSummary time_summary(const core::QuantileInterval& interval, std::span<const double> samples_s) {
  const core::Summary shape = core::summarize(samples_s, interval.confidence);
  TimeSummary time;
  time.quantile = interval.quantile;
  time.confidence = interval.confidence;
  time.value_s = interval.estimate;
  time.lower_s = interval.lower;
  time.upper_s = interval.upper;
  time.bounded = interval.bounded;
  time.n = interval.n;
  time.n_effective = interval.n_effective;
  time.min_s = shape.min;
  time.max_s = shape.max;
  time.mean_s = shape.mean;
  time.cv = shape.cv;
  time.p95_s = shape.p95;
  time.p99_s = shape.p99;
  time.p999_s = shape.p999;
  return time;
}

}  // namespace assay::results
