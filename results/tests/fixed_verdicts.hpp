// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Synthetic verdicts of two judges: failed, not judged, passed and excused.
#pragma once

#include <vector>

#include "results/judge/verdict/verdicts.hpp"

namespace assay::results::test {

/// The verdicts of accept (2 FAIL, 1 INCONCLUSIVE, 1 PASS) and of check (1 FAIL, 1 NOT_RUN, 1 PASS, 1
/// excused).
std::vector<Verdicts> fixed_verdicts();

}  // namespace assay::results::test
