// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Tested claims as tables, for `assay claims` and the report.
#pragma once

#include <span>

#include "model/claims/tested_claim.hpp"
#include "results/table/table.hpp"

namespace assay::cli {

/// `commands`: in a column.
results::Table claims_table(std::span<const model::claims::TestedClaim> tested, bool commands);

/// Numbers of claims of each source by verdict: those that agree, or are within a few percent of what is
/// printed; those that disagree; those that cannot be tested here.
results::Table claim_sources_table(std::span<const model::claims::TestedClaim> tested);

/// The claims that are numbered as scenarios of a fabric, by number, with their commands.
results::Table scenarios_table(std::span<const model::claims::TestedClaim> tested);

/// Every id of a published claim with its rows, and the test that holds what they rest on.
results::Table claim_ids_table(std::span<const model::claims::Claim> claims);

}  // namespace assay::cli
