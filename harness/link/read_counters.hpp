// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Reads every counter of RDMA ports and of the netdevs below them, before and after a measurement.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "harness/link/counter_table.hpp"
#include "harness/machine/machine.hpp"

namespace assay::link {

struct CounterName {
  CounterSource source = CounterSource::hw;
  std::string netdev;  // whose it is, for netdev and ethtool; else ""
  std::string name;
  friend auto operator<=>(const CounterName&, const CounterName&) = default;
};

struct PortCounters {
  std::string device;
  int port = 1;
  std::map<CounterName, std::uint64_t> values;
};

/// Statistics of a netdev by name, as `ethtool -S` shows them; empty where its driver reports none.
using EthtoolStatistics = std::function<std::map<std::string, std::uint64_t>(const std::string& netdev)>;
using Wait = std::function<void(std::chrono::milliseconds)>;

class CounterReader {
 public:
  /// Follows these ports. `root` is prefixed to /sys, for tests; then ethtool is not asked unless given.
  CounterReader(std::vector<machine::Hca> ports, std::string root = "", EthtoolStatistics ethtool = {},
                Wait wait = {});

  /// One entry a port, in the order given. First waits until the kernel's cache of hw_counters has expired
  /// (lifespan, 10 ms on mlx5): what was counted up to this call is then in the reading. Directories may be
  /// absent (rxe has no counters/); what is absent or not a number is left out, nothing is thrown.
  std::vector<PortCounters> read() const;

  /// How long read() waits.
  std::chrono::milliseconds lifespan() const;

 private:
  PortCounters read_port(const machine::Hca& hca) const;
  std::vector<machine::Hca> ports_;
  std::string root_;
  EthtoolStatistics ethtool_;
  Wait wait_;
};

}  // namespace assay::link
