// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The report of a run: one HTML file that holds all it needs and opens without a network, years later.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "results/judge/verdict/verdicts.hpp"
#include "results/points/run_points.hpp"
#include "results/record/timeline.hpp"
#include "results/report/reliability.hpp"
#include "results/table/table.hpp"

namespace assay::results {

/// Parts of the page besides what the run measured.
struct ReportContent {
  std::vector<Verdicts> verdicts = {};    // of one or several judges; none: the page says "not judged"
  std::vector<Table> tables = {};         // that others made of the run: each becomes a section of its own
  std::optional<Timeline> timeline = {};  // of a burn-in
  std::optional<PredictedReliability> reliability = {};
};

/// The whole page.
std::string report_html(const RunPoints& run, const ReportContent& content = {});

/// False where the build had no node and npm: reports then hold tables only, and say so.
bool report_has_charts();

}  // namespace assay::results
