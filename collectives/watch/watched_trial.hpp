// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Rank 0's trial under a watch: a call of all ranks that takes too long ends as TimedOut with the names of
// those who are late, one that fails by itself reports what the others were doing.
#pragma once

#include <vector>

#include "collectives/watch/hang_watch.hpp"
#include "harness/core/measure/benchmark.hpp"

namespace assay::collectives {

/// The first operation may take `first_s`; a later call ten times what the slowest before took for as many
/// iterations, but never less than a third of `first_s`.
class AdaptiveLimit {
 public:
  explicit AdaptiveLimit(double first_s) : first_s_(first_s) {}
  double of(std::int64_t iterations) const;
  void took(std::int64_t iterations, double seconds);

 private:
  double first_s_;
  double slowest_s_ = 0;  // of one iteration; 0: none yet
};

struct WatchOptions {
  double first_limit_s = 15;
  /// A lost rank does not come back in this run (its launcher's to start): the module then ends, so that the
  /// points that are left can be resumed.
  bool loss_is_final = false;
};

/// Led cases whose trials are watched. `watch` and `options` must outlive them.
std::vector<core::Case> watched(std::vector<core::Case> led, HangWatch& watch, const WatchOptions& options);

}  // namespace assay::collectives
