// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Hosts that a store holds twice at the same time: two machines of one name, or two runs that disturbed each
// other. Either way what is said of that host is not to be trusted.
#pragma once

#include <string>
#include <vector>

#include "results/store/store.hpp"

namespace assay::results {

/// One line for each two runs of one host that overlap in time, and where the machines tell, whether they are
/// two. A process without an end counts from its start only. Ranks of one run, and modules of one round of a
/// burn-in, are one.
std::vector<std::string> overlaps_of(const Store& store);

/// Ranks write runs of their own: "R.rank3" is of run R.
std::string run_without_rank(const std::string& run_id);

}  // namespace assay::results
