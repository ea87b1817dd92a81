// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A staircase as Calculon's files have it: rows of [threshold, efficiency].
#pragma once

#include "model/exporters/calculon/gemm_staircases.hpp"

namespace assay::model::calculon {

/// `unit` is the amount of one threshold; Json is an nlohmann type.
template <class Json>
Json table_of(const EfficiencySteps& steps, double unit) {
  Json table = Json::array();
  for (const EfficiencyStep& step : steps) table.push_back({step.threshold / unit, step.efficiency});
  return table;
}

}  // namespace assay::model::calculon
