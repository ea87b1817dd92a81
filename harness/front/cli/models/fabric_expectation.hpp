// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Times that runs of a store should take on a fabric, for the judges.
#pragma once

#include <string>

#include "results/judge/judges.hpp"

namespace assay::cli {

/// Expected times as results::ExpectOfFabric: simulated with 20 hash seeds at the goodput that the fabric
/// states, since a run's own would excuse slow ports, and with the latencies, overheads and gaps of each run.
results::ExpectedTimes expect_of_fabric(const results::Store& store, const std::string& filter,
                                        const results::EvidenceFile& fabric);

}  // namespace assay::cli
