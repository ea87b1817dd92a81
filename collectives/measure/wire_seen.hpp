// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Bytes as the wires saw them: what the interfaces of all ranks' hosts sent while a point was sampled. One
// rank of each host reads its counters, outside of all timing.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "harness/core/measure/benchmark.hpp"
#include "harness/machine/wire_counters.hpp"
#include "harness/team/team.hpp"

namespace assay::collectives {

using ReadWires = std::function<std::vector<machine::WireCounter>()>;

class WireSeen {
 public:
  /// `read`: empty for this machine's own counters.
  WireSeen(team::Team& team, ReadWires read);

  /// Between these two exactly the iterations run that ran() counts.
  void begins();
  void ran(std::int64_t iterations) { iterations_ += iterations; }
  void ends();

  /// Every rank calls it at the same time. At rank 0 "wire_seen_net_bytes" and so on, of all hosts in one
  /// iteration; a wire that has no counter, or an unknown one, has no metric.
  std::vector<core::Metric> gathered();
  /// The counters that this rank read, and those of them that are unknown; nothing where another rank of its
  /// host reads.
  std::vector<core::Fact> facts() const;

 private:
  team::Team& team_;
  ReadWires read_;
  bool reads_;
  std::int64_t iterations_ = 0;
  std::vector<machine::WireCounter> before_, sent_;
};

/// `sent`: of all hosts; a counter that several report is counted once.
std::vector<core::Metric> wire_metrics(const std::vector<machine::WireCounter>& sent,
                                       std::int64_t iterations);

}  // namespace assay::collectives
