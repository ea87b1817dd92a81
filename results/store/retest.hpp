// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Runs of a campaign in which it measured suspects again, with some of the others: who is not in them lacks
// nothing.
#pragma once

#include <string>

namespace assay::results {

/// Whether a run is a retest, by the name that a campaign gives it: "CAMPAIGN.STAGE-retest-2.NODE".
bool is_retest(const std::string& run_id);

}  // namespace assay::results
