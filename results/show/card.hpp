// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The node card: in some twenty lines for a terminal, what this node is and what it does.
#pragma once

#include <string>

#include "results/points/run_points.hpp"

namespace assay::results {

/// `width` 0 is unlimited.
std::string node_card(const RunPoints& run, int width = 100);

}  // namespace assay::results
