// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What came out of testing a claim.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "model/claims/claim.hpp"

namespace assay::model::claims {

struct TestedClaim {
  const Claim* claim = nullptr;
  std::optional<double> value;  // none: the command gave none, and `reason` says why
  std::string reason;

  bool holds() const { return value && claim->expected.holds(*value); }
  /// "agrees"; "within 3.1 %", or "disagrees, by 27 %", of what is printed; "not as expected" where it does
  /// not hold; "not tested: " and why.
  std::string verdict() const;
};

/// Runs a command of assay with --json. Throws core::Error where it fails.
using AskAssay = std::function<nlohmann::json(const std::string& command)>;

/// A command that several claims name runs once.
std::vector<TestedClaim> test_claims(std::span<const Claim> claims, const AskAssay& ask);

}  // namespace assay::model::claims
