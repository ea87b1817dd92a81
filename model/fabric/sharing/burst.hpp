// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Microbursts: what gathers at the ports of hosts within a round trip, before any control can act, although
// every sender sends at line rate only and loads are even.
#pragma once

#include <cstdint>

namespace assay::model::fabric {

/// An all-to-all: every rank sends a block to each other rank, one after another, at `bytes_per_us`.
struct BurstSettings {
  int ranks = 2;
  double block_bytes = 0, bytes_per_us = 0, round_trip_us = 0;  // each above 0
  std::uint64_t seed = 1;
};

struct BurstQueues {
  double most_bytes = 0, mean_bytes = 0;  // of all receivers
};

/// Bytes that arrive in the first round trip beyond what the port sends on, where every sender begins with a
/// receiver drawn by the seed and goes round from there.
BurstQueues unaligned_bursts(const BurstSettings& settings);
/// Bursts as above where the sender of rank i begins with rank i + 1: one sender a receiver at any time.
BurstQueues staggered_bursts(const BurstSettings& settings);

}  // namespace assay::model::fabric
