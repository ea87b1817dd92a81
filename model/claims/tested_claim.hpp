// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Results of testing claims.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "model/claims/claim.hpp"
#include "results/points/run_points.hpp"

namespace assay::model::claims {

struct TestedClaim {
  const Claim* claim = nullptr;
  std::optional<double> value;
  std::string word;      // instead of a number
  std::string evidence;  // "simulated"; "measured, NVIDIA H100 80GB HBM3"; empty: nothing was found
  std::string reason;    // why nothing was

  bool found() const { return value || !word.empty(); }
  bool holds() const;
  /// Its command needs nothing that a machine may lack, and gave no answer: a defect of the row or of assay.
  bool failed() const { return !found() && !claim->from_store() && !claim->on_this_host(); }
  /// Relative distance from what is printed; nothing where no number is.
  std::optional<double> off() const;
  /// Whether what was found is as expected, and agrees with what is printed or is near it.
  bool agrees() const;
  /// "agrees"; "within 3.1 %", or "disagrees, by 27 %", of what is printed; "disagrees: not as expected"
  /// where it does not hold; "failed: " or "cannot be tested here, because", and why.
  std::string verdict() const;
};

/// Sources of the numbers of claims.
struct Sources {
  /// Runs commands of assay and returns what the last one prints. Throws core::Error where one fails. Called
  /// from several threads.
  std::function<nlohmann::json(const std::string& command)> ask;
  /// Runs a command that measures; the store that holds what it measured.
  std::function<std::filesystem::path(const std::string& command)> measure;
  std::vector<const results::RunPoints*> runs;  // of a site, the latest first; empty: there is no store
  unsigned threads = 1;                         // for `ask`
};

/// A command that several claims name runs once. What measures runs after the others, alone.
std::vector<TestedClaim> test_claims(std::span<const Claim> claims, const Sources& sources);

/// Those that the run's records answer; nothing is run.
std::vector<TestedClaim> claims_answered_by(const results::RunPoints& run, std::span<const Claim> claims);

}  // namespace assay::model::claims
