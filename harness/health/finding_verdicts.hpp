// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Findings as the verdicts that every judge gives.
#pragma once

#include <vector>

#include "harness/health/finding.hpp"
#include "results/judge/verdicts.hpp"

namespace assay::health {

/// A row for each finding. What is to be watched passes, with its action; what is absent or was waived is
/// excused; what could not be told is inconclusive.
results::Verdicts verdicts_of(const std::vector<Finding>& findings);

}  // namespace assay::health
