// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Published claims for the report of a run.
#pragma once

#include <string>
#include <vector>

#include "results/points/run_points.hpp"
#include "results/table/table.hpp"

namespace assay::cli {

/// Claims that the run's records answer, and of those with `ids` (of rows, or of published claims; "all") the
/// ones that commands answer without hardware, which run: all of them half a minute. Without rows where there
/// are none.
results::Table claims_of_run(const results::RunPoints& run, const std::vector<std::string>& ids);

}  // namespace assay::cli
