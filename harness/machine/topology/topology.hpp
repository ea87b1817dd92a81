// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The machine as a tree: sockets, their NUMA nodes, and below each the PCIe ports, switches and devices.
#pragma once

#include <string>
#include <vector>

#include "harness/machine/machine.hpp"

namespace assay::machine {

struct TopologyDevice {
  std::string name;      // GPU 0, mlx5_0
  std::string kind;      // gpu | hca
  std::string describe;  // NVIDIA H100 80GB HBM3; ACTIVE 400 Gb/sec (4X NDR)
  bool down = false;     // a port that is not active
  const PcieLink* link = nullptr;
};

/// A root port (no link of its own) or a switch (its link towards the root).
struct TopologyBranch {
  std::string address;
  const PcieLink* uplink = nullptr;
  std::vector<TopologyBranch> branches;
  std::vector<TopologyDevice> devices;
};

struct TopologyNode {
  const NumaNode* numa = nullptr;  // null: devices whose NUMA node is unknown
  TopologyBranch below;            // address empty
};

struct TopologySocket {
  int id = -1;  // -1: unknown, or nodes without CPUs
  std::vector<TopologyNode> nodes;
};

/// Points into `machine`, which must outlive the result.
std::vector<TopologySocket> topology(const Machine& machine);

}  // namespace assay::machine
