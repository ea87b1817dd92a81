// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What hosts say of their GPUs, held against what they said before and against what was measured. Which GPUs
// are equals follows from it.
#pragma once

#include <string>
#include <vector>

#include "results/store/store.hpp"

namespace assay::results {

/// One line for each host whose GPUs changed their size from one record to another, that measured GPUs which
/// its inventory does not have, or whose GPUs have no UUID where others have one.
std::vector<std::string> doubtful_inventories_of(const Store& store);

}  // namespace assay::results
