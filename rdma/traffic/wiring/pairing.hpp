// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Pairs of ranks of different nodes that are measured against each other, and when: rounds in which every
// rank has one peer at most, so that all pairs of a round run at once. Nodes meet in a tournament
// (pattern.hpp).
#pragma once

#include <span>
#include <vector>

#include "rdma/traffic/wiring/pattern.hpp"
#include "rdma/traffic/wiring/seats.hpp"

namespace assay::rdma {

using Rounds = std::vector<std::vector<Pair>>;

/// Same rails: every two nodes in one round, each rail of one with that rail of the other. Cross rails: every
/// two nodes in a round for each shift from one rail to another. Within nodes: after that the ranks of each
/// node among themselves, likewise on the same rail or on different ones. Rounds without a pair are left out.
Rounds pair_up(std::span<const Seat> ranks, const Pairing& pairing);

/// Those of `pairing.round`, or of all. Throws Unsupported, with the reason, where no ranks make a pair, or
/// where there are fewer rounds.
Rounds rounds_of(std::span<const Seat> ranks, const Pairing& pairing);

/// So many pairs between rank 0's node and the first that it meets, all at once: a port each at both ends.
/// Throws Unsupported where there are fewer.
std::vector<Pair> ports_of(std::span<const Seat> ranks, const Pairing& pairing, std::size_t ports);

/// Rank 0 and the first of its peers, for cases of a single pair. Throws Unsupported, as rounds_of() does.
Pair first_pair(std::span<const Seat> ranks, const Pairing& pairing);

}  // namespace assay::rdma
