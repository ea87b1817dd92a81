// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How every point of a fleet spreads over its units, and where the worst units are.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>

#include "results/judge/fleet_standing.hpp"

namespace assay::results {

/// {spreads: [{level, metric, units, sd, percent}], worst: [{unit, metric, percent}]}; of the worst units so
/// many.
nlohmann::ordered_json spread_chart(const FleetStanding& standing, std::size_t units);

}  // namespace assay::results
