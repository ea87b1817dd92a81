// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Parts of one point's record that contradict each other.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace assay::results {

/// Seconds, bytes and FLOPs of an iteration; 0 where the record has none.
struct TimedWork {
  double time_s = 0, bytes = 0, flops = 0;
};

/// "bandwidth_gb_per_s is 50 GB/s, and its time says 100 GB/s": of metrics that follow from time and work,
/// as harness/run/journal/record_of.hpp computes them. Empty where they agree, and for other metrics.
std::string metric_contradiction(std::string_view metric, std::string_view unit, double value,
                                 const TimedWork& work);

/// "its record says gpu 6, and its axes do not": a unit that no axis names. Both are JSON without brackets,
/// as PointOutline has them. Empty where all are named.
std::string unit_contradiction(std::string_view axes, std::string_view units);

/// "efficiency is 30.2, of a peak that is 1": a product faster than its peak allows. `metrics` is JSON
/// without brackets. Empty for all others.
std::string peak_contradiction(std::string_view metrics);

}  // namespace assay::results
