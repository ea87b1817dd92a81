// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// NUMA nodes: their memory, the CPUs of each that this process may use, and the distances firmware states.
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <set>
#include <sstream>

#include "harness/machine/cpu_list.hpp"
#include "harness/machine/parts.hpp"
#include "harness/machine/readable.hpp"

namespace assay::machine {

namespace {

/// "Node 0 MemTotal:  1056763220 kB"
std::int64_t node_bytes(const std::string& meminfo, int id) {
  const auto text = value_in_lines(meminfo, "Node " + std::to_string(id) + " MemTotal", ':');
  std::int64_t kilobytes = 0;
  if (text) std::from_chars(text->data(), text->data() + text->size(), kilobytes);
  return kilobytes * 1024;
}

NumaNode read_node(const Tree& tree, int id, const std::vector<int>& usable) {
  const std::string directory = "/sys/devices/system/node/node" + std::to_string(id) + "/";
  NumaNode node;
  node.id = id;
  node.bytes = node_bytes(tree.text(directory + "meminfo"), id);
  for (int cpu : parse_cpu_list(tree.text(directory + "cpulist")).value_or(std::vector<int>{}))
    if (std::binary_search(usable.begin(), usable.end(), cpu)) node.cpus.push_back(cpu);
  std::set<std::string> cores;
  for (int cpu : node.cpus) {
    const std::string topology = "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/";
    if (const auto siblings = tree.read(topology + "thread_siblings_list")) cores.insert(*siblings);
    if (node.socket < 0)
      node.socket = static_cast<int>(tree.read_integer(topology + "physical_package_id").value_or(-1));
  }
  node.cores = static_cast<int>(cores.size());
  std::istringstream distances(tree.text(directory + "distance"));
  for (int distance = 0; distances >> distance;) node.distances.push_back(distance);
  return node;
}

}  // namespace

std::vector<NumaNode> read_numa(const Tree& tree, const std::vector<int>& cpus) {
  std::vector<NumaNode> nodes;
  for (const std::string& name : tree.list("/sys/devices/system/node")) {
    int id = 0;
    const char* end = name.data() + name.size();
    if (!name.starts_with("node") || std::from_chars(name.data() + 4, end, id).ptr != end) continue;
    nodes.push_back(read_node(tree, id, cpus));
  }
  return nodes;
}

void note_node_memory(Machine& machine) {
  std::int64_t told = 0;
  for (const NumaNode& node : machine.numa) told += node.bytes;
  const std::int64_t all = machine.memory.bytes;
  // Nodes count what the kernel later takes for itself, or the reverse: a tenth apart is ordinary.
  if (machine.numa.empty() || all == 0 || std::abs(told - all) <= all / 10) return;
  machine.notes.push_back(
      "NUMA nodes report " + readable_bytes(told) + " of " + readable_bytes(all) +
      " memory: what a node holds is uncertain, and footprints per node rely on its report");
}

}  // namespace assay::machine
