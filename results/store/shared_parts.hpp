// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One part at two places: a machine that measured under two names counts as two equals and vouches for
// itself, and a serial number that stands twice in one machine hides the part that is not there.
#pragma once

#include <string>
#include <vector>

#include "results/store/store.hpp"

namespace assay::results {

/// One line for each pair of hosts that share the serial number of a GPU or adapter, and for each machine
/// that tells one serial number of two parts. Serial numbers of zeros only tell nothing, and are passed over.
std::vector<std::string> shared_parts_of(const Store& store);

}  // namespace assay::results
