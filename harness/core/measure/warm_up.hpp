// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Is the machine warm yet: the last half of what ran shows no trend, in time per iteration or in any signal.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/core/measure/measure.hpp"

namespace assay::core {

/// Series by name ("time", "sm_clock_mhz"); settled when none of them still moves.
class Settling {
 public:
  std::vector<double>& series(const std::string& name) { return series_[name]; }

  /// The name of a series that still moves, or an empty string. Of each series the first quarter is
  /// forgotten; it is steady when the halves of the rest differ by less than `tolerance` of their level, or
  /// by less than chance.
  std::string moving(double tolerance) const;

 private:
  std::map<std::string, std::vector<double>> series_;
};

/// Runs the trial until settled or until the options' warm-up budget ends.
Warmup warm_up(Trial& trial, std::int64_t iterations, const MeasureOptions& options, Clock& clock,
               const std::atomic<bool>& interrupted);

}  // namespace assay::core
