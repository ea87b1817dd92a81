// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/topology/topology.hpp"

#include <algorithm>

namespace assay::machine {

namespace {

const PcieLink* switch_at(const Machine& machine, const std::string& address) {
  const auto found = std::find_if(machine.switches.begin(), machine.switches.end(),
                                  [&](const PcieLink& one) { return one.address == address; });
  return found != machine.switches.end() ? &*found : nullptr;
}

TopologyBranch& branch_at(std::vector<TopologyBranch>& branches, const std::string& address) {
  const auto found = std::find_if(branches.begin(), branches.end(),
                                  [&](const TopologyBranch& one) { return one.address == address; });
  if (found != branches.end()) return *found;
  branches.push_back({.address = address, .uplink = nullptr, .branches = {}, .devices = {}});
  return branches.back();
}

/// Hangs a device below its root port and its switches. Downstream ports of a switch are not drawn.
void hang(const Machine& machine, TopologyDevice device, TopologyBranch& top) {
  TopologyBranch* at = &top;
  for (std::size_t level = 0; level < device.link->path.size(); ++level) {
    const std::string& address = device.link->path[level];
    const PcieLink* uplink = switch_at(machine, address);
    if (level > 0 && uplink == nullptr) continue;
    at = &branch_at(at->branches, address);
    at->uplink = level > 0 ? uplink : nullptr;
  }
  at->devices.push_back(std::move(device));
}

TopologySocket& socket_of(std::vector<TopologySocket>& sockets, int id) {
  for (TopologySocket& socket : sockets)
    if (socket.id == id) return socket;
  sockets.push_back({.id = id, .nodes = {}});
  return sockets.back();
}

TopologyBranch& home_of(std::vector<TopologySocket>& sockets, const Machine& machine, int numa_node) {
  // With one node, a device whose node firmware does not report can only be there.
  if (numa_node < 0 && machine.numa.size() == 1) numa_node = machine.numa.front().id;
  for (TopologySocket& socket : sockets)
    for (TopologyNode& node : socket.nodes)
      if ((node.numa != nullptr ? node.numa->id : -1) == numa_node) return node.below;
  if (numa_node >= 0) return home_of(sockets, machine, -1);
  TopologySocket& unknown = socket_of(sockets, -1);
  unknown.nodes.push_back({});
  return unknown.nodes.back().below;
}

TopologyDevice gpu_device(const Gpu& gpu) {
  const std::string nvlinks =
      gpu.nvlinks_active ? ", " + std::to_string(*gpu.nvlinks_active) + " NVLinks" : "";
  return {.name = "GPU " + std::to_string(gpu.index),
          .kind = "gpu",
          .describe = gpu.name + nvlinks,
          .down = false,
          .link = &gpu.pcie};
}

TopologyDevice hca_device(const Hca& hca) {
  const std::string port = hca.port == 1 ? "" : " port " + std::to_string(hca.port);
  const std::string separator = hca.state.empty() || hca.rate.empty() ? "" : " ";
  return {.name = hca.device + port,
          .kind = "hca",
          .describe = hca.state + separator + hca.rate,
          .down = hca.state != "ACTIVE",
          .link = &hca.pcie};
}

void in_order(TopologyBranch& branch) {
  std::sort(
      branch.branches.begin(), branch.branches.end(),
      [](const TopologyBranch& left, const TopologyBranch& right) { return left.address < right.address; });
  for (TopologyBranch& below : branch.branches) in_order(below);
}

}  // namespace

std::vector<TopologySocket> topology(const Machine& machine) {
  std::vector<TopologySocket> sockets;
  for (const NumaNode& node : machine.numa)
    socket_of(sockets, node.socket).nodes.push_back({.numa = &node, .below = {}});
  for (const Gpu& gpu : machine.gpus)
    hang(machine, gpu_device(gpu), home_of(sockets, machine, gpu.pcie.numa_node));
  for (const Hca& hca : machine.hcas)
    hang(machine, hca_device(hca), home_of(sockets, machine, hca.pcie.numa_node));
  for (TopologySocket& socket : sockets)
    for (TopologyNode& node : socket.nodes) in_order(node.below);
  std::stable_sort(sockets.begin(), sockets.end(),
                   [](const TopologySocket& left, const TopologySocket& right) {
                     return (left.id < 0 ? 1 << 20 : left.id) < (right.id < 0 ? 1 << 20 : right.id);
                   });
  return sockets;
}

}  // namespace assay::machine
