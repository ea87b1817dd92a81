// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Findings as the verdicts that every judge gives, and as fields of a timeline.
#pragma once

#include <string_view>
#include <vector>

#include "harness/front/health/finding.hpp"
#include "results/judge/verdict/verdicts.hpp"
#include "results/record/record.hpp"

namespace assay::health {

/// The verdict of a status: what is to be watched is degraded, and what is unknown is inconclusive.
results::Verdict as_verdict(Status status);
/// Rightly not judged: absent, or waived.
bool is_excused(Status status);

/// The word of the worst verdict that is not excused: NOT_RUN where nothing was looked at.
std::string_view verdict_word(const std::vector<Finding>& findings);

/// check, evidence, meaning, action.
results::Fields fields_of(const Finding& finding);

/// A row for each finding. What is to be watched is degraded, with its action; what is absent or was waived
/// is excused; what is unknown is inconclusive.
results::Verdicts verdicts_of(const std::vector<Finding>& findings);

}  // namespace assay::health
