// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/point_axes.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace assay::offload {

core::Axis node_axis(std::string name, std::string meaning) {
  const std::int64_t local = -1;
  return {std::move(name), std::move(meaning), core::Domain::integers, {local}, {}, {{"local", local}}};
}

core::Axis cap_axis(std::string meaning, std::vector<core::Value> values) {
  return {"cap_gb_per_s", std::move(meaning), core::Domain::words, std::move(values)};
}

std::optional<std::string> missing_node(const machine::Machine& machine, std::initializer_list<int> nodes) {
  if (machine.numa.empty()) return std::nullopt;  // unknown: the system itself will refuse
  for (const int node : nodes)
    if (node >= 0 && std::ranges::find(machine.numa, node, &machine::NumaNode::id) == machine.numa.end())
      return fmt::format("this machine has no NUMA node {}", node);
  return std::nullopt;
}

int nearest_node(const machine::Machine& machine, const std::string& pci_address) {
  for (const machine::Gpu& gpu : machine.gpus)
    if (gpu.pcie.address == pci_address) return gpu.pcie.numa_node;
  return -1;
}

std::optional<std::string> does_not_fit(const std::string& what, std::int64_t bytes,
                                        std::int64_t available_bytes) {
  if (available_bytes <= 0 || bytes <= available_bytes) return std::nullopt;
  return fmt::format("{} needs {} bytes and {} are available", what, bytes, available_bytes);
}

}  // namespace assay::offload
