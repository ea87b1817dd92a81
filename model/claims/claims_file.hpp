// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Claims as rows of TOML: [[claim]] with id, of, source, says, command, evidence, a place of the number
// (value; or point, metric and perhaps pick; or given) and what must come out (expected and within, at_least,
// at_most, is, or has). Where they apply: printed, contradicts, unit, needs, and what divides the number:
// against, against_value, against_point, against_metric, against_pick or against_given.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/claims/claim.hpp"

namespace assay::model::claims {

/// Throws a usage Error with file, line, key and what was expected. No two claims have one id.
std::vector<Claim> parse_claims(std::string_view toml, const std::string& file);

/// Those that assay ships (rows/*.toml).
std::vector<Claim> shipped_claims();
/// The shipped claims with these ids, or that test published claims with these; all where there are no ids.
/// Throws a usage Error for an id that belongs to none.
std::vector<Claim> shipped_claims(const std::vector<std::string>& ids);

/// Ids of published claims, each with the test that holds what its rows rest on: "A1" -> "model/...".
std::map<std::string, std::string> parse_held_by(std::string_view toml, const std::string& file);
std::map<std::string, std::string> shipped_held_by();

}  // namespace assay::model::claims
