// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What judges are given: records, what was asked of them, and files of the user by the input that they are
// for (judges.hpp).
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "results/judge/compared_runs.hpp"
#include "results/judge/expectations.hpp"
#include "results/judge/fleet_judgement.hpp"
#include "results/store/run_doubts.hpp"

namespace assay::results {

/// How the records are judged, files aside.
struct JudgeOrder {
  bool accept = true;  // the fleet is held against itself
  std::string filter = {};
  FleetRules rules = {};
  std::vector<ComparisonRequest> comparisons = {};
  std::map<std::string, double, std::less<>> shares = {};  // of other judges, by input
};

/// What a file of coefficients predicts for the points of a store that match the filter. Models lie above
/// results, so that whoever asks the judges brings one.
using Foretell = std::function<ExpectedTimes(const Store& store, const std::string& filter,
                                             const std::string& coefficients)>;

struct Evidence {
  const Store& store;
  JudgeOrder order = {};
  std::map<std::string, std::vector<std::string>, std::less<>> files = {};  // paths, by input
  std::vector<RunDoubt> damage = {};  // of the journals that the records come from, unknown to the store
  Foretell foretell = {};

  /// None where there are none.
  std::span<const std::string> files_of(std::string_view input) const;
  /// Nothing where the input was not given.
  std::optional<double> share_of(std::string_view input) const;
};

}  // namespace assay::results
