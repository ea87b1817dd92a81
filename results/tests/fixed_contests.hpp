// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Interference on a GPU with known numbers: two victims beside four aggressors of 1 to 32 thread blocks,
// beside four that are no number of blocks, and beside nobody.
#pragma once

#include <vector>

#include "results/record/journal.hpp"

namespace assay::results::test {

std::vector<Record> fixed_contests();

}  // namespace assay::results::test
