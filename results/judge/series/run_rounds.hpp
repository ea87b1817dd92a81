// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Rounds of a fleet: which of its runs belong together in time, so that what a day did to all is taken from
// all.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "results/judge/series/fleet_doubts.hpp"

namespace assay::results {

/// The round of each run, from 0. `runs`: in order of their start. `started_s`: when, by run; NaN where
/// unknown. A round has ended once half of all units measured a point of it again. It ends where no unit has
/// a point on one side twice (at most a tenth of the units have): as late as possible, or at a pause three
/// times as long. Where there is no such moment, as where hosts follow each other with all their runs, the
/// rest is one round.
std::vector<std::uint32_t> rounds_of_runs(const Fleet& fleet, const FleetRunValues& runs,
                                          std::span<const double> started_s);

}  // namespace assay::results
