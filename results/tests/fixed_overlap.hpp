// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Points of the offload module with known numbers: a pipeline at two caps, and two victims beside two
// aggressors.
#pragma once

#include <vector>

#include "results/record/journal.hpp"

namespace assay::results::test {

std::vector<Record> fixed_overlap();

}  // namespace assay::results::test
