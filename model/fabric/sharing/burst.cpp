// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/sharing/burst.hpp"

#include <algorithm>
#include <random>
#include <vector>

namespace assay::model::fabric {

namespace {

/// Bytes that arrive at each rank in a round trip. Every sender goes round the ranks behind it, so that its
/// blocks are two ranges of receivers at most: their ends are noted, and added up once.
class Arrivals {
 public:
  explicit Arrivals(const BurstSettings& settings)
      : settings_(settings),
        most_(settings.bytes_per_us * settings.round_trip_us),
        steps_(static_cast<std::size_t>(settings.ranks) + 1) {}

  /// From `from`, whose first receiver is so far round from it: 1 to ranks - 1.
  void add(int from, int first) {
    const int others = settings_.ranks - 1;
    const double left = std::min(most_, others * settings_.block_bytes);
    const int whole = static_cast<int>(left / settings_.block_bytes);
    add_blocks(from, first, whole, settings_.block_bytes);
    if (whole < others)
      add_blocks(from, 1 + (first - 1 + whole) % others, 1, left - whole * settings_.block_bytes);
  }

  BurstQueues queues() const {
    BurstQueues queues;
    constexpr double rounding = 1e-9;  // of what a port sends on
    double bytes = 0;
    for (int rank = 0; rank < settings_.ranks; ++rank) {
      bytes += steps_[static_cast<std::size_t>(rank)];
      const double queued = bytes > most_ * (1 + rounding) ? bytes - most_ : 0;
      queues.most_bytes = std::max(queues.most_bytes, queued);
      queues.mean_bytes += queued / settings_.ranks;
    }
    return queues;
  }

 private:
  /// To so many receivers, the first at that distance; behind the last other rank comes distance 1 again.
  void add_blocks(int from, int distance, int count, double bytes) {
    const int before_end = std::min(count, settings_.ranks - distance);
    add_range(from + distance, before_end, bytes);
    add_range(from + 1, count - before_end, bytes);
  }

  /// Ranks in a row, behind the last of which comes rank 0.
  void add_range(int first, int count, double bytes) {
    first %= settings_.ranks;
    const int before_end = std::min(count, settings_.ranks - first);
    add_step(first, bytes), add_step(first + before_end, -bytes);
    if (before_end == count) return;
    add_step(0, bytes), add_step(count - before_end, -bytes);
  }
  void add_step(int rank, double bytes) { steps_[static_cast<std::size_t>(rank)] += bytes; }

  const BurstSettings& settings_;
  double most_;
  std::vector<double> steps_;  // of the bytes, from rank to rank
};

}  // namespace

BurstQueues unaligned_bursts(const BurstSettings& settings) {
  Arrivals arrivals(settings);
  std::mt19937_64 random(settings.seed);
  for (int from = 0; from < settings.ranks; ++from)
    arrivals.add(from, 1 + static_cast<int>(random() % static_cast<std::uint64_t>(settings.ranks - 1)));
  return arrivals.queues();
}

BurstQueues staggered_bursts(const BurstSettings& settings) {
  Arrivals arrivals(settings);
  for (int from = 0; from < settings.ranks; ++from) arrivals.add(from, 1);
  return arrivals.queues();
}

}  // namespace assay::model::fabric
