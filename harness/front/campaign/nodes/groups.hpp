// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Groups of nodes that measure together in each round of a fabric stage. Groups of one round share no node.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/front/campaign/campaign_file.hpp"

namespace assay::campaign {

using Group = std::vector<std::string>;  // names of nodes

/// Round `round` (from 0) of a round-robin tournament by the circle method: every two of n meet once in n - 1
/// rounds (n rounds where n is odd, and one node rests in each).
std::vector<Group> tournament_round(const std::vector<std::string>& nodes, std::size_t round);

/// Groups of a stage, indexed by round, then group. Nodes that fill no group are left over. Empty where there
/// are too few nodes.
std::vector<std::vector<Group>> groups_of(const Stage& stage, const std::vector<std::string>& nodes);

/// Whether suspects repeat the stage: a plan on nodes, and pairs, where each meets another partner.
bool is_measured_again(const Stage& stage);

/// Groups that measure the suspects of a stage of pairs again: in each round every suspect meets another of
/// the partners, and partners that are left meet each other, as sound pairs of the same time. With no more
/// partners than suspects, the tournament of all. Empty for other stages.
std::vector<std::vector<Group>> retest_groups_of(const Stage& stage, const std::vector<std::string>& suspects,
                                                 const std::vector<std::string>& partners);

}  // namespace assay::campaign
