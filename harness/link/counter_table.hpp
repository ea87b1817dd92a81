// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The meaning of each port, hw and Ethernet counter, how wide it is, what it does when full, and which class
// it signals when it moves during a measurement.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "harness/core/measure/report.hpp"

namespace assay::link {

/// The place where a counter is read: ports/N/counters, ports/N/hw_counters, the netdev's statistics in
/// sysfs, or those its driver reports by ethtool.
enum class CounterSource { port, hw, netdev, ethtool };

using core::LinkClass;

enum class Overflow { wraps, saturates };

struct CounterFact {
  CounterSource source;
  std::string_view name;  // may hold one *: rx_prio*_pause
  int bits;
  Overflow overflow;
  std::string_view unit;
  LinkClass speaks_for;  // clean: traffic, or what signals no trouble by itself
  std::string_view meaning;
};

/// Every counter with a meaning, by source. Sources of the facts: docs/reference/rdma-counters.md.
std::span<const CounterFact> port_counter_facts();
std::span<const CounterFact> hw_counter_facts();
std::span<const CounterFact> ethernet_counter_facts();

/// The fact of a counter, or nullptr for one that is not in the table.
const CounterFact* find_counter(CounterSource source, const std::string& name);

/// The value at which a counter is full: 2^bits - 1.
std::uint64_t full(const CounterFact& fact);

std::string_view to_string(CounterSource source);

}  // namespace assay::link
