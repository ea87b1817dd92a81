// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The report's section on copies between host and GPUs. Private to the report.
#pragma once

#include <string>

#include "results/points/run_points.hpp"
#include "results/show/show.hpp"

namespace assay::results {

/// "" where none was measured.
std::string copies_section(const RunPoints& run, const ShowOptions& options);

}  // namespace assay::results
