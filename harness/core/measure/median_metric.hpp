// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A figure that every sample has, as a metric.
#pragma once

#include <vector>

#include "harness/core/measure/benchmark.hpp"
#include "harness/core/statistics/statistics.hpp"

namespace assay::core {

/// The median of figure(sample) with its 95 % interval, which fewer than six samples do not have.
template <class Sample, class Figure>
Metric median_metric(const std::vector<Sample>& samples, const char* name, const char* unit,
                     const Figure& figure) {
  std::vector<double> values;
  for (const Sample& sample : samples) values.push_back(figure(sample));
  const QuantileInterval interval = quantile_interval(values, 0.5, 0.95);
  Metric metric{.name = name, .unit = unit, .value = interval.estimate};
  if (!interval.bounded) return metric;
  metric.lower = interval.lower;
  metric.upper = interval.upper;
  return metric;
}

}  // namespace assay::core
