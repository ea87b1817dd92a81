// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Who slows down whom, for charts: a few matrices of victims against aggressors, and curves over how many
// thread blocks or threads the aggressor has. Where it has none, nobody runs beside the victim: a control.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "results/points/overlap_points.hpp"

namespace assay::results {

/// The slowdown of every victim beside every aggressor, and of what spinning alone does: {points, same}. The
/// title ("series") of a matrix tells how many blocks; an aggressor that was measured with one number of them
/// stands in every matrix. Controls are no cells.
nlohmann::ordered_json interference_chart(const std::vector<OverlapPoint>& points);

/// The slowdown over the number of blocks or threads, of aggressors measured with more than one, beside what
/// spinning alone does and what was predicted, with the victims' controls: {points, same}.
nlohmann::ordered_json slowdown_chart(const std::vector<OverlapPoint>& points);

}  // namespace assay::results
