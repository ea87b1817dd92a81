// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Runs of a store as the lines of a journal, the very ones that they were read from, and as a store alone.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/core/files/long_text.hpp"
#include "results/store/doubts/run_doubts.hpp"

namespace assay::results {

/// The records of these runs as lines of a journal, or of all runs where none are named, the earliest first.
/// Throws std::runtime_error for a run that the store does not hold.
core::LongText lines_of_runs(const Store& store, std::span<const std::string> runs);

/// A store in memory that holds these runs of `store` alone: judges then see no other. Throws
/// std::runtime_error for a run that `store` does not hold. What the records do not show is
/// damage_of_runs().
Store store_of_runs(const Store& store, std::span<const std::string> runs);

/// Faults of the journals of these runs, or of all, that were seen when they were imported and that their
/// records do not show.
std::vector<RunDoubt> damage_of_runs(const Store& store, std::span<const std::string> runs);

}  // namespace assay::results
