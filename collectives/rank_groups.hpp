// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The ranks that run a collective together: all of them, or groups, each with a collective of its own.
#pragma once

#include <string>
#include <vector>

namespace assay::collectives {

using RankGroup = std::vector<int>;  // ranks, by their place in the group

/// "all"; "first:4" (ranks 0 to 3, or all that there are); "nodes" (every node alone); "rails" (the k-th rank
/// of every node); "halves" (by rank); "node_pairs" (every two nodes); or ranks as in "0-3|4+6". `node_of` by
/// rank, empty: all on one node. Throws a usage Error with one line for a word that is not a rank, and a rank
/// twice in a group.
std::vector<RankGroup> rank_groups(const std::string& text, int ranks, const std::vector<int>& node_of);

/// A rank that is in several groups, so that they cannot run at once; -1 where none is.
int shared_rank(const std::vector<RankGroup>& groups);

/// "0-3", "0+2+4".
std::string to_text(const RankGroup& group);

}  // namespace assay::collectives
