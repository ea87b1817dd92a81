// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Verdicts of a burn-in's timeline: one for every module, unit and dose, with evidence, meaning and action.
// What was not measured, not looked at or not caught never passes.
#pragma once

#include <vector>

#include "results/judge/statistics/dose.hpp"
#include "results/judge/verdict/verdicts.hpp"
#include "results/record/timeline.hpp"

namespace assay::suite {

results::Verdicts verdicts_of(const std::vector<results::TimelineEntry>& timeline,
                              const std::vector<results::UnitDose>& doses,
                              const results::DoseTargets& targets);

}  // namespace assay::suite
