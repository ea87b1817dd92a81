// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Runs leave a store: a wrong import, a secret in a journal of an older version, a hostile record.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "results/store/store.hpp"

namespace assay::results {

/// Removes all records of these runs, in one transaction; their bytes in the file are overwritten with zeros.
/// Returns how many records that were. Throws NoRun, and removes nothing, where one of them is not there.
std::int64_t remove_runs(Store& store, std::span<const std::string> runs);

/// The places where records of these runs (none named: of all) hold what looks like a secret, as versions
/// before 0.2.0 wrote them: "run k: environment.ASSAY_TEAM_KEY of host h".
std::vector<std::string> secrets_of_runs(const Store& store, std::span<const std::string> runs);

}  // namespace assay::results
