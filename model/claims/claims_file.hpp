// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Claims as rows of TOML: [[claim]] with id, of, source, says, command, value, expected and within (or
// at_least, at_most), and where they apply printed, unit, against, against_value, evidence.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/claims/claim.hpp"

namespace assay::model::claims {

/// Throws a usage Error with file, line, key and what was expected. No two claims have one id.
std::vector<Claim> parse_claims(std::string_view toml, const std::string& file);

/// Those that assay ships (claims.toml).
std::vector<Claim> shipped_claims();

}  // namespace assay::model::claims
