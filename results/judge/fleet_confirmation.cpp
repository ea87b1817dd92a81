// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "harness/core/student_t.hpp"
#include "results/judge/fleet_suspects.hpp"

namespace assay::results {
namespace {

bool can_be_judged(const Retest& retest) { return retest.deviations.size() >= 2; }

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

struct Pool {
  double squares = 0, degrees = 0;
  double deviation() const { return degrees > 0 ? std::sqrt(squares / degrees) : 0; }
};

/// The noise of one fresh measurement, by level.
std::map<std::string, Pool> pooled_noise(std::span<const Retest> retests) {
  std::map<std::string, Pool> pools;
  for (const Retest& retest : retests) {
    if (!can_be_judged(retest)) continue;
    Pool& pool = pools[retest.suspect.level];
    const double mean = mean_of(retest.deviations);
    for (const double value : retest.deviations) pool.squares += (value - mean) * (value - mean);
    pool.degrees += static_cast<double>(retest.deviations.size() - 1);
  }
  return pools;
}

}  // namespace

std::vector<Confirmed> confirm(std::span<const Retest> retests, const FleetRules& rules) {
  const auto noise = pooled_noise(retests);
  const auto judged = std::count_if(retests.begin(), retests.end(), can_be_judged);
  std::vector<Confirmed> all;
  for (const Retest& retest : retests) {
    if (!can_be_judged(retest)) continue;
    const Pool& pool = noise.at(retest.suspect.level);
    const double quantile =
        core::student_t_quantile(1 - rules.family_error / static_cast<double>(judged), pool.degrees);
    const double error =
        quantile * pool.deviation() / std::sqrt(static_cast<double>(retest.deviations.size()));
    Confirmed one{.suspect = retest.suspect,
                  .deviation = mean_of(retest.deviations),
                  .measurements = static_cast<std::int64_t>(retest.deviations.size())};
    one.at_least = -(one.deviation + error);
    one.fault = one.at_least > retest.suspect.margin;
    all.push_back(one);
  }
  std::stable_sort(all.begin(), all.end(), [](const Confirmed& one, const Confirmed& other) {
    return one.fault != other.fault ? one.fault : one.deviation < other.deviation;
  });
  return all;
}

}  // namespace assay::results
