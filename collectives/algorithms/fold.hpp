// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Halving and doubling among the groups of a fold (harness/schedule/fold.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "collectives/algorithms/schedule.hpp"
#include "harness/schedule/fold.hpp"

namespace assay::collectives {

using schedule::Fold;

/// The first element of each group's share; one more entry for the end.
using Edges = std::vector<std::int64_t>;
Edges even_edges(const Fold& fold, std::int64_t count);
/// A group's share is its ranks' blocks.
Edges block_edges(const Fold& fold, const Blocks& blocks);

/// Reduces by halves: after log2(groups) steps the group's own share of `buffer` is reduced.
void halve(Schedule& schedule, const Fold& fold, const Edges& edges, Buffer buffer);
/// Gathers by doubling windows: from the group's own share of the output to all of it.
void gather_doubling(Schedule& schedule, const Fold& fold, const Edges& edges);

std::int64_t share_of(const Edges& edges, int group);
/// Elements a group sends while gathering: its window before each doubling.
std::int64_t doubling_elements(const Fold& fold, const Edges& edges);

}  // namespace assay::collectives
