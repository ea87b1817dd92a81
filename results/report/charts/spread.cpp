// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How every point of a fleet spreads over its units, and where the worst units are.
#include "results/report/charts/charts.hpp"

namespace assay::results {

using Json = nlohmann::ordered_json;

Json spread_chart(const FleetStanding& standing, std::size_t units) {
  Json spreads = Json::array(), worst = Json::array();
  for (const MetricSpread& spread : standing.spreads) {
    Json percent = Json::array();
    for (const double value : spread.percent) percent.push_back(value);
    spreads.push_back({{"level", spread.unit_level},
                       {"metric", spread.metric},
                       {"units", spread.units},
                       {"sd", spread.robust_sd_percent},
                       {"percent", percent}});
  }
  for (const Standing& unit : standing.units) {
    if (worst.size() == units) break;
    if (!unit.metric.empty())
      worst.push_back({{"unit", unit.name}, {"metric", unit.metric}, {"percent", unit.percent}});
  }
  return {{"spreads", spreads}, {"worst", worst}};
}

}  // namespace assay::results
