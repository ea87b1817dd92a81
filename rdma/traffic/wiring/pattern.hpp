// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Who sends to whom, for any number of hosts: pure schedules.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace assay::rdma {

using Pair = std::pair<int, int>;  // from, to

/// Every pair of `n` hosts exactly once, no host twice in a round: n - 1 rounds for even n, n for odd n (each
/// host then sits out one; (n-1)/2 pairs a round cannot do with fewer). The circle method: one host stays,
/// the others go round (Kirkman 1847).
std::vector<std::vector<Pair>> tournament(int n);

/// Host i sends to host (i + shift) mod n. Throws a usage Error where that is itself.
std::vector<Pair> ring_shift(int n, std::int64_t shift);

/// A permutation without fixed points, the same for a seed on every machine.
std::vector<Pair> permutation(int n, std::uint64_t seed);

/// Each host of the first half with its counterpart in the second, both ways; an odd host out is idle.
std::vector<Pair> bisection(int n);

/// Hosts 1 to `senders` to host 0. 0 senders: all others. Throws a usage Error where there are not so many.
std::vector<Pair> incast(int n, int senders);

/// Pairs whose value is below `share` of the median of all.
std::vector<std::size_t> suspects(const std::vector<double>& values, double share);

}  // namespace assay::rdma
