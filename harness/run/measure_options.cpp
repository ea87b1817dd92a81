// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/run/measure_options.hpp"

#include <algorithm>
#include <limits>

namespace assay::run {

core::MeasureOptions measure_options(const plan::PlannedPoint& planned) {
  const core::Case& benchmark = *planned.benchmark;
  core::MeasureOptions options = planned.measure;
  options.min_samples = std::max(options.min_samples, benchmark.min_samples);
  options.min_sample_seconds = std::max(options.min_sample_seconds, benchmark.min_sample_seconds);
  if (benchmark.seconds_needed) {
    options.max_seconds = benchmark.seconds_needed(planned.point);
    options.relative_width = 0;  // no interval is narrow enough to stop early
    options.max_samples = std::numeric_limits<std::int64_t>::max();
  }
  return options;
}

}  // namespace assay::run
