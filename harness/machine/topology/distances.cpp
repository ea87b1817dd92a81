// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/topology/distances.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "harness/machine/parts.hpp"

namespace assay::machine {

std::string distance(const PcieLink& from, const PcieLink& to, std::size_t numa_nodes) {
  if (from.host_bridge.empty() || to.host_bridge.empty()) return "";
  if (from.host_bridge == to.host_bridge) {
    const auto [left, right] =
        std::mismatch(from.path.begin(), from.path.end(), to.path.begin(), to.path.end());
    if (left == from.path.begin()) return "PHB";  // not even the root port is shared
    const auto bridges_apart = std::max(from.path.end() - left, to.path.end() - right);
    return bridges_apart <= 1 ? "PIX" : "PXB";
  }
  if (numa_nodes == 1) return "NODE";
  if (from.numa_node < 0 || to.numa_node < 0) return "";
  return from.numa_node == to.numa_node ? "NODE" : "SYS";
}

std::size_t farness(const std::string& distance) {
  static constexpr std::array names = {"PIX", "PXB", "PHB", "NODE", "SYS"};
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), distance) - names.begin());
}

std::vector<Distance> read_distances(const Machine& machine) {
  std::vector<const PcieLink*> links;
  std::set<std::string> seen;  // a device with two ports is one PCI device
  const auto add = [&](const PcieLink& link) {
    if (!link.address.empty() && seen.insert(link.address).second) links.push_back(&link);
  };
  for (const Gpu& gpu : machine.gpus) add(gpu.pcie);
  for (const Hca& hca : machine.hcas) add(hca.pcie);
  std::vector<Distance> distances;
  for (std::size_t from = 0; from < links.size(); ++from)
    for (std::size_t to = from + 1; to < links.size(); ++to)
      if (const std::string far = distance(*links[from], *links[to], machine.numa.size()); !far.empty())
        distances.push_back({links[from]->address, links[to]->address, far});
  return distances;
}

namespace {

std::string distance_of(const Machine& machine, const std::string& from, const std::string& to) {
  for (const Distance& one : machine.distances)
    if ((one.from == from && one.to == to) || (one.from == to && one.to == from)) return one.distance;
  return "";
}

}  // namespace

void find_nearest_gpus(Machine& machine) {
  for (Hca& hca : machine.hcas) {
    hca.nearest_gpus = {};
    for (const Gpu& gpu : machine.gpus) {
      const std::string far = distance_of(machine, gpu.pcie.address, hca.pcie.address);
      if (hca.pcie.address.empty() || far.empty()) continue;
      NearestGpus& nearest = hca.nearest_gpus;
      if (nearest.indices.empty() || farness(far) < farness(nearest.distance)) nearest = {{}, far};
      if (far == nearest.distance) nearest.indices.push_back(gpu.index);
    }
  }
}

}  // namespace assay::machine
