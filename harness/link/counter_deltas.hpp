// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The movement of counters between two readings, with their width in mind: a narrow one wraps, or stops when
// it is full.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/measure/report.hpp"
#include "harness/link/read_counters.hpp"

namespace assay::link {

struct CounterDelta {
  std::string device;
  int port = 1;
  CounterName counter;
  const CounterFact* fact = nullptr;  // nullptr: not in the table
  std::uint64_t before = 0, after = 0;
  /// The counter's movement. Empty where that is unknown: the counter was full from the start, was reset in
  /// between, or is gone.
  std::optional<std::uint64_t> moved;
  core::CounterReport::Outcome outcome = core::CounterReport::Outcome::not_read;
  std::string why_unknown;  // why `moved` is empty
};

/// One entry for each counter of `before`, ports matched by device and port; one without a name for a port
/// without readable counters. A counter of n bits that ran backwards by more than half its range has wrapped;
/// one that ran backwards by less was reset.
std::vector<CounterDelta> counter_deltas(const std::vector<PortCounters>& before,
                                         const std::vector<PortCounters>& after);

/// The counter's name is "mlx5_0 out_of_sequence", "mlx5_0/2 ..." for ports beyond the first, with the netdev
/// instead of the device for Ethernet counters.
core::CounterReport report_of(const CounterDelta& delta, core::LinkClass speaks_for);
/// One line: as core::describe().
std::string describe(const CounterDelta& delta);

}  // namespace assay::link
