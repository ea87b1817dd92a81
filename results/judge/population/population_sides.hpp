// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Two stores, each all that was measured of one cluster: whether they may be compared at all, which metrics
// they share, and what puts their records in doubt.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "results/judge/population/population_values.hpp"
#include "results/judge/verdict/verdicts.hpp"
#include "results/store/store.hpp"

namespace assay::results {

/// Indexed by module and host: the first of the hosts that ever measured as ranks of one run with it.
using HostGroups = std::map<std::string, std::map<std::string, std::string>>;

struct PopulationSide {
  std::string name;  // of the store
  std::vector<MeasuredFleet> fleets;
  HostGroups groups = {};
  std::vector<VerdictRow> doubts;  // none passes
};

struct PopulationSides {
  PopulationSide a, b;
};

/// Throws std::runtime_error with one line: one store twice, a run or machine in both, nothing measured,
/// other origins, places that lack a host or have other levels.
PopulationSides population_sides(const Store& a, const Store& b, const std::string& filter,
                                 const PopulationPlaces& places);

/// A metric of units of one level, and where its values are: fleet and number of the metric.
struct SharedMetric {
  std::string level, metric;  // "gpu", "gemm.cuda.matmul/m=8192"
  std::pair<std::size_t, std::size_t> in_a, in_b;
  bool of_teams = false;  // what several hosts measured together is one measurement
};
struct UnsharedMetric {
  std::string level, metric, why;
};
struct PopulationMetrics {
  std::vector<SharedMetric> shared;
  std::vector<UnsharedMetric> unshared;  // one side lacks it, or means something else by it
  bool any_of_other_settings = false;    // the latter
};

/// In the order of their names.
PopulationMetrics population_metrics(const PopulationSides& sides);

}  // namespace assay::results
