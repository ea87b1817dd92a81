// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Findings as the verdicts that every judge gives, and as fields of a timeline.
#pragma once

#include <vector>

#include "harness/front/health/finding.hpp"
#include "results/judge/verdict/verdicts.hpp"
#include "results/record/record.hpp"

namespace assay::health {

/// The verdict of a status: what is to be watched passes, and what is unknown is inconclusive.
results::Verdict as_verdict(Status status);
/// Rightly not judged: absent, or waived.
bool is_excused(Status status);

/// check, evidence, meaning, action.
results::Fields fields_of(const Finding& finding);

/// A row for each finding. What is to be watched passes, with its action; what is absent or was waived is
/// excused; what is unknown is inconclusive.
results::Verdicts verdicts_of(const std::vector<Finding>& findings);

}  // namespace assay::health
