// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Order statistics with distribution-free intervals. Pure functions on numbers; no clock, no I/O.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace assay::core {

struct QuantileInterval {
  double quantile = 0.5;
  double confidence = 0.95;
  double estimate = 0;
  double lower = 0;
  double upper = 0;
  std::int64_t n = 0;
  double n_effective = 0;  // n divided by the autocorrelation time of the samples
  bool bounded =
      false;  // false: too few samples for this quantile at this confidence; bounds are min and max

  double relative_width() const;
};

/// Quantile by linear interpolation between order statistics (type 7 of Hyndman and Fan 1996). q in [0, 1].
double quantile_of(std::span<const double> samples, double q);

/// Interval for the q-quantile of the process the samples, in the order taken, came from.
QuantileInterval quantile_interval(std::span<const double> samples, double q, double confidence);
/// quantile_interval() of samples known, or taken, to be independent.
QuantileInterval independent_quantile_interval(std::span<const double> samples, double q, double confidence);

/// Samples needed before the largest one is an upper bound of the q-quantile: ceil(ln(1-confidence)/ln(q)).
/// 299 for p99 and 2,995 for p99.9 at 95 %.
std::int64_t samples_needed(double q, double confidence);

struct Summary {
  std::int64_t n = 0;
  double min = 0, max = 0, mean = 0, cv = 0;
  double median = 0;
  std::optional<double> p95, p99, p999;  // only where the sample count supports them
};
Summary summarize(std::span<const double> samples, double confidence = 0.95);

}  // namespace assay::core
