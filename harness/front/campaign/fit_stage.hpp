// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Coefficients of a cluster: fitted to one node and to the groups of nodes that it was in. Whether the other
// nodes are its equals is for the judges to say.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "results/judge/verdict/verdicts.hpp"

namespace assay::campaign {

struct Site;
struct Stage;

struct FitRequest {
  std::filesystem::path store;
  std::vector<std::string> runs;        // that are fitted
  std::vector<std::string> block_runs;  // that the fit must predict; none: not asked
  std::filesystem::path output;         // file of coefficients
};

/// Writes the file, and prints coefficients with intervals. Returns by how much the times of the block, one
/// part after the other, are predicted too long, as a share; empty where no part was measured. Throws
/// core::Error where nothing can be fitted.
using FitCoefficients = std::function<std::optional<double>(const FitRequest&)>;

/// Imports what was collected, and fits it: coefficients.json in the campaign's folder. One row for the file
/// and one for the block.
std::vector<results::VerdictRow> run_fit_stage(const Site& site, const Stage& stage,
                                               const std::vector<std::string>& present, std::ostream& out);

}  // namespace assay::campaign
