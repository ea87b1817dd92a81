// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A small fleet of hosts with noise that is the same in every test.
#pragma once

#include <cmath>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "results/judge/fleet/fleet_judgement.hpp"

namespace assay::results::test {

using TimeFactor = std::function<double(int host, int run, int metric)>;

/// Equal hosts whose times of two metrics, about 1 s, differ by a fixed pattern of 0.2 %, run after run.
/// `group`: of the second.
inline std::vector<Fleet> patterned_in(int hosts, int runs, const char* group, const TimeFactor& factor) {
  std::vector<Fleet> fleets;
  for (int run = 0; run < runs; ++run) {
    Fleet fleet;
    fleet.metrics = {{"copy", "memory", false}, {"read", group, false}};
    fleet.unit_level = "host";
    for (int host = 0; host < hosts; ++host) fleet.units.push_back({"h" + std::to_string(host), "x", {}});
    for (int metric = 0; metric < 2; ++metric)
      for (int host = 0; host < hosts; ++host)
        fleet.values.push_back((1 + 0.002 * std::sin(7.0 * host + 11.0 * run + 5.0 * metric)) *
                               factor(host, run, metric));
    fleets.push_back(std::move(fleet));
  }
  return fleets;
}

inline std::vector<Fleet> patterned(int hosts, int runs,
                                    const std::function<double(int host, int run)>& factor) {
  return patterned_in(hosts, runs, "memory", [&](int host, int run, int) { return factor(host, run); });
}

inline FleetJudgement judged(const std::vector<Fleet>& runs, const FleetRules& rules = {}) {
  return judge_fleet(runs.front(), std::span(runs).subspan(1), rules);
}

}  // namespace assay::results::test
