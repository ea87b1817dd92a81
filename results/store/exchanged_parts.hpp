// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Hosts whose parts are others than they were: a board was exchanged, or another machine took the name. What
// both measured stands under one name, so that the sound successor would speak for its faulty predecessor.
#pragma once

#include <string>
#include <vector>

#include "results/store/store.hpp"

namespace assay::results {

/// One line for each run of a host whose GPUs or adapters have other serial numbers than in its run before.
/// Runs of one time are told by overlaps_of(); parts without serial numbers are not compared.
std::vector<std::string> exchanged_parts_of(const Store& store);

}  // namespace assay::results
