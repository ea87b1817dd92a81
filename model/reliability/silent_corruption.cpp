// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/reliability/silent_corruption.hpp"

#include <cmath>
#include <limits>

namespace assay::model::reliability {

double probability_clean(const Corruption& run) {
  return std::exp(-run.per_node_day * run.nodes * run.run_days);
}

double mean_days_undetected(const Corruption& run) {
  if (run.probe_hours <= 0) return std::numeric_limits<double>::infinity();
  // Half an interval to the next probe, and one more for each that misses.
  return run.probe_hours / 24 * (0.5 + (1 - run.found_by_a_probe) / run.found_by_a_probe);
}

double corrupted_share(const Corruption& run) {
  const double a_day = run.per_node_day * run.nodes;
  if (a_day <= 0) return 0;
  // Units that corrupt at a time are a Poisson number, whose mean is rate times mean duration (Palm).
  if (run.probe_hours > 0) return -std::expm1(-a_day * mean_days_undetected(run));
  return 1 + std::expm1(-a_day * run.run_days) / (a_day * run.run_days);
}

double probe_share(const Corruption& run) {
  return run.probe_hours > 0 ? run.probe_minutes / 60 / run.probe_hours : 0;
}

}  // namespace assay::model::reliability
