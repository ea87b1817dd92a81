// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// RDMA devices as sysfs shows them: mlx5 on InfiniBand and RoCE, a bond, a port that is down, rxe.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "harness/machine/tests/fake_node.hpp"

namespace assay::machine {

struct FakePort {
  std::string device = "mlx5_0";
  bool ethernet = false, up = true;
  std::string netdev;
  std::string address = "0000:15:00.0";  // of its PCI device; "" for a software device
};

/// The port's files: states, rate, GIDs, GUIDs. Counters come apart.
void write_port(FakeNode& node, const FakePort& port);

/// rxe0 on eth0: no counters/, no PCI device, a constant rate, a file that names the netdev.
void write_rxe(FakeNode& node);

/// mlx5_bond_0 on bond0 of eth0 and eth1.
void write_bond(FakeNode& node);

using FakeCounters = std::map<std::string, std::uint64_t>;
void write_port_counters(FakeNode& node, const std::string& device, const FakeCounters& counters);
/// hw_counters, with their lifespan of 10 ms beside them.
void write_hw_counters(FakeNode& node, const std::string& device, const FakeCounters& counters);
/// A netdev's statistics; carrier_* stand beside them.
void write_statistics(FakeNode& node, const std::string& netdev, const FakeCounters& counters);

}  // namespace assay::machine
