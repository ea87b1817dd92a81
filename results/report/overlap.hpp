// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The report's sections on copying beside computing, and on who slows down whom. Private to the report.
#pragma once

#include <string>

#include "results/points/run_points.hpp"

namespace assay::results {

/// "" where neither was measured.
std::string overlap_sections(const RunPoints& run);

}  // namespace assay::results
