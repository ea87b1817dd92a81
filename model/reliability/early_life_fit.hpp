// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Early life from the ages at which a fleet's nodes failed: the most likely constant rate and Weibull part.
// Nodes are repaired, and those that did not fail count with the time that they were watched.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/reliability/early_life.hpp"
#include "model/reliability/failure_rate.hpp"

namespace assay::model::reliability {

struct NodeLife {
  double days = 0;                         // watched, from its first day on
  std::vector<double> failures_days = {};  // ages, within `days`
};

struct EarlyLifeFit {
  EarlyLife life = {};
  Interval early = {}, scale_days = {}, shape = {};  // 95 %, by the curvature of the likelihood
  std::int64_t nodes = 0, failures = 0;
  double gain = 0;      // twice the logarithm of the likelihood over that of a constant rate
  std::string why_not;  // "" where early life shows
};

/// A Poisson process whose rate is that of EarlyLife without wear. Early life shows where the gain is above
/// 11.3: three parameters more, 1 % by chance. Lives without time are left out.
EarlyLifeFit fit_early_life(const std::vector<NodeLife>& nodes);

}  // namespace assay::model::reliability
