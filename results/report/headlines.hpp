// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The few numbers that say what a node does, as panels of HTML. Private to the report.
#pragma once

#include <string>

#include "results/points/run_points.hpp"

namespace assay::results {

std::string headlines(const RunPoints& run);

}  // namespace assay::results
