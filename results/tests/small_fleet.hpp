// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The records of a small made-up fleet: hosts h0 to h9, each measured three times; one may be slow.
#pragma once

#include <string>
#include <vector>

#include "results/record/journal.hpp"

namespace assay::results::test {

/// The records of each run, round after round. Host h3 takes `slow` times as long as the others.
std::vector<std::vector<Record>> small_fleet(double slow = 1);

/// The same in a store.
void put_small_fleet(const std::string& store, double slow = 1);

}  // namespace assay::results::test
