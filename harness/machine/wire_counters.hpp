// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Bytes sent by the interfaces of this host: RDMA ports, network interfaces, loopback, NVLink. Read before
// and after a measurement, and subtracted.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/machine/nvml/nvml.hpp"
#include "harness/machine/tree.hpp"

namespace assay::machine {

enum class Wire { rdma, net, loopback, nvlink };
inline constexpr std::array all_wires{Wire::rdma, Wire::net, Wire::loopback, Wire::nvlink};
std::string_view to_text(Wire wire);

/// One interface's count of sent bytes: since it came up in a reading, between two readings in a difference.
struct WireCounter {
  Wire wire = Wire::net;
  std::string name;  // mlx5_0/1, eth0, lo, GPU-<uuid>
  /// The kernel, and of network interfaces its network namespace, that counts: processes of one place see the
  /// same counter. "" where the kernel does not show it.
  std::string place;
  std::optional<std::uint64_t> bytes;  // empty: the interface exists, its count is unknown
};

/// RDMA ports that count (rxe and siw do not: theirs passes through a network interface); network interfaces
/// that are up and have no other below them (a bond's or bridge's traffic passes its members); GPUs with
/// active NVLinks. What is not there is left out.
std::vector<WireCounter> read_wire_counters(const Tree& tree, const Nvml& nvml);
/// The counters of this machine.
std::vector<WireCounter> read_wire_counters();

/// Bytes sent from one reading to the next, by counter; empty where the counter went back, is unknown, or is
/// in one reading only.
std::vector<WireCounter> sent_between(const std::vector<WireCounter>& before,
                                      const std::vector<WireCounter>& after);

}  // namespace assay::machine
