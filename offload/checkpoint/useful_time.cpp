// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/checkpoint/useful_time.hpp"

#include <cmath>

namespace assay::offload {

double young_interval_s(const FailureCosts& costs) {
  return std::sqrt(2 * costs.checkpoint_s * costs.mean_time_between_failures_s);
}

double daly_interval_s(const FailureCosts& costs) {
  const double ratio = costs.checkpoint_s / (2 * costs.mean_time_between_failures_s);
  if (ratio >= 1) return costs.mean_time_between_failures_s;
  return young_interval_s(costs) * (1 + std::sqrt(ratio) / 3 + ratio / 9) - costs.checkpoint_s;
}

double useful_fraction(const FailureCosts& costs, double interval_s) {
  const double mean_s = costs.mean_time_between_failures_s;
  return interval_s / (mean_s * std::exp(costs.restart_s / mean_s) *
                       std::expm1((interval_s + costs.checkpoint_s) / mean_s));
}

}  // namespace assay::offload
