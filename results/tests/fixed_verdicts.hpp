// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Made-up verdicts of two judges: what fails, what could not be judged, what passed and what was excused.
#pragma once

#include <vector>

#include "results/judge/verdict/verdicts.hpp"

namespace assay::results::test {

/// Of accept (2 FAIL, 1 INCONCLUSIVE, 1 PASS) and of check (1 FAIL, 1 NOT_RUN, 1 PASS, 1 excused).
std::vector<Verdicts> fixed_verdicts();

}  // namespace assay::results::test
