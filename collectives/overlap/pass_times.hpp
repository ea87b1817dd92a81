// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The cost to a pass of its exchanges: computing alone, exchanges alone, and both together.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "collectives/overlap/pass_plan.hpp"
#include "harness/core/measure/benchmark.hpp"

namespace assay::collectives {

/// Seconds of one iteration. What layers or exchanges take is the sum from each one's beginning to its end:
/// an exchange waits for other ranks within it, gaps between them do not count.
struct PassTimes {
  double compute_only = 0, communication_only = 0;      // each alone
  double together = 0;                                  // from the first layer to the end of all
  double compute_beside = 0, communication_beside = 0;  // the same while both run together
  double ideal = 0;                                     // ideal_s() of the times alone
};

double total_s(std::span<const double> seconds);

/// How a pass runs each part once, and what each of its exchanges took alone.
struct PassParts {
  std::function<double()> compute = {};
  std::function<std::vector<double>()> exchange = {};
  std::function<void(PassTimes& times)> together = {};  // adds what it took
};
/// One part after the other, each after a barrier.
PassTimes time_parts(const PassPlan& plan, const std::function<void()>& barrier, const PassParts& parts);

/// All parts, of the rank that took longest for each.
PassTimes slowest_of(const PassTimes& one, const PassTimes& other);
/// A line each. Throws core::Error (team) on a text of another form.
std::string to_text(const std::vector<PassTimes>& times);
std::vector<PassTimes> pass_times_from(const std::string& text);

/// Without an efficiency where `plan` hides nothing, or less than the noise of what it is a difference of.
std::vector<core::Metric> metrics_of(const PassPlan& plan, const std::vector<PassTimes>& times);

}  // namespace assay::collectives
