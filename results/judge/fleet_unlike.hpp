// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Whether more than a tenth of the places of one metric are unlike the rest, or are divided from it.
#pragma once

#include <optional>
#include <vector>

#include "results/judge/fleet_judgement.hpp"
#include "results/judge/fleet_noise.hpp"

namespace assay::results {

/// By where the places stand over their runs, else in one of `full_runs`. Two halves have no rest that they
/// could be unlike: they are told by the gap between them. Without level and metric; `margin`: a shift above
/// 0.
std::optional<FleetUnlike> unlike_in(const SeriesRow& row, const Core& core, double margin,
                                     const std::vector<std::vector<double>>& full_runs);

}  // namespace assay::results
