// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/reliability/silent_corruption.hpp"

#include <cmath>
#include <vector>

namespace assay::model::reliability {
namespace {

/// Between two probes, or until the run ends; such stretches follow one another `times`.
struct Stretch {
  double days = 0;
  double days_before = 0;  // of whose units no probe found any
  double times = 1;
};

std::vector<Stretch> stretches_of(const Corruption& run) {
  constexpr double none_left = 1e-15;
  const double between = run.probe_hours > 0 ? run.probe_hours / 24 : run.run_days;
  const double count = std::floor(run.run_days / between * (1 + 1e-12));
  const double missed = 1 - run.found_by_a_probe;
  std::vector<Stretch> all;
  double left = 1, before = 0;  // share of units that so many probes miss
  for (double at = 0; at < count; ++at) {
    left *= missed;
    all.push_back({between, before, left > none_left ? 1 : count - at});
    if (left <= none_left) break;
    before += between * left;
  }
  const double rest = run.run_days - count * between;
  if (rest > none_left * run.run_days) all.push_back({rest, before});
  return all;
}

}  // namespace

double probability_clean(const Corruption& run) {
  return std::exp(-run.per_node_day * run.nodes * run.run_days);
}

bool is_probed(const Corruption& run) { return run.probe_hours > 0 && run.probe_hours <= 24 * run.run_days; }

double mean_days_undetected(const Corruption& run) {
  double days = 0;
  for (const Stretch& one : stretches_of(run))
    days += one.times * one.days * (one.days / 2 + one.days_before);
  return days / run.run_days;
}

double corrupted_share(const Corruption& run) {
  const double a_day = run.per_node_day * run.nodes;
  if (a_day <= 0) return 0;
  double days = 0;
  for (const Stretch& one : stretches_of(run))
    days +=
        one.times * (one.days + std::exp(-a_day * one.days_before) * std::expm1(-a_day * one.days) / a_day);
  return days / run.run_days;
}

double probe_share(const Corruption& run) {
  return run.probe_hours > 0 ? run.probe_minutes / 60 / run.probe_hours : 0;
}

}  // namespace assay::model::reliability
