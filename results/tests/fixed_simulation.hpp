// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A run of simulated fabrics: two numbers of queue pairs, steps of two operations, two of 256 leaves with
// four uplinks, one of them failed, and a placement.
#pragma once

#include <vector>

#include "results/record/journal.hpp"

namespace assay::results::test {

std::vector<Record> fixed_simulation();

}  // namespace assay::results::test
