// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/burst.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace assay::model::fabric {

namespace {

/// Bytes that arrive at each rank in a round trip.
class Arrivals {
 public:
  explicit Arrivals(const BurstSettings& settings)
      : settings_(settings),
        most_(settings.bytes_per_us * settings.round_trip_us),
        bytes_(static_cast<std::size_t>(settings.ranks)) {}

  /// From `from`, whose first receiver is so far round from it: 1 to ranks - 1.
  void add(int from, int first) {
    const int others = settings_.ranks - 1;
    double left = std::min(most_, others * settings_.block_bytes);
    for (int block = 0; left > 0; ++block) {
      const int distance = 1 + (first - 1 + block) % others;
      const double part = std::min(left, settings_.block_bytes);
      bytes_[static_cast<std::size_t>((from + distance) % settings_.ranks)] += part;
      left -= part;
    }
  }

  BurstQueues queues() const {
    BurstQueues queues;
    constexpr double rounding = 1e-9;  // of what a port sends on
    for (const double bytes : bytes_) {
      const double queued = bytes > most_ * (1 + rounding) ? bytes - most_ : 0;
      queues.most_bytes = std::max(queues.most_bytes, queued);
      queues.mean_bytes += queued / settings_.ranks;
    }
    return queues;
  }

 private:
  const BurstSettings& settings_;
  double most_;
  std::vector<double> bytes_;
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
