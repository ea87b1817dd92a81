// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A burn-in over its time: rounds and modules, checks and findings, clock, temperature and power. Private to
// the report.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "results/record/timeline.hpp"

namespace assay::results {

/// {spans: [{lane, label, how, from_s, to_s}], marks: [{lane, label, status, at_s, text}], curves: [{kind,
/// unit, points: [[at_s, value]]}]}. A span that nothing ended is "cut" and reaches to the last entry. Curves
/// keep the lowest and highest of each of some hundred stretches.
nlohmann::ordered_json timeline_chart(const Timeline& timeline);

/// The chart with its findings as a table, and what was not told; "" without a timeline.
std::string timeline_section(const std::optional<Timeline>& timeline);

}  // namespace assay::results
