// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The records of a small synthetic fleet: hosts h0 to h9, each measured three times; one may be slow.
#pragma once

#include <string>
#include <vector>

#include "results/record/journal.hpp"

namespace assay::results::test {

/// The records of each run, round after round from `first_round` (1 to 7) on. Host h3 takes `slow` times as
/// long as the others, which take about `seconds`.
std::vector<std::vector<Record>> small_fleet(double slow = 1, int first_round = 1, double seconds = 1e-3);

/// Puts the records of small_fleet() in a store.
void put_small_fleet(const std::string& store, double slow = 1);

}  // namespace assay::results::test
