// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The topology for a terminal: a box for each socket, and in it the tree of what hangs below.
#include <fmt/format.h>

#include <algorithm>

#include "harness/machine/cpu_list.hpp"
#include "harness/machine/describe/describe.hpp"
#include "harness/machine/readable.hpp"
#include "harness/machine/topology/topology.hpp"

namespace assay::machine {

namespace {

using Lines = std::vector<std::string>;

std::string link_text(const PcieLink& link) {
  const std::string text = readable_trained(link);
  return text.empty() ? "" : "  " + text + (link.down_trained() ? "  DOWN-TRAINED" : "");
}

void draw(const TopologyBranch& branch, const std::string& indent, Lines& lines) {
  const std::size_t children = branch.branches.size() + branch.devices.size();
  std::size_t drawn = 0;
  const auto arm = [&] { return indent + (++drawn == children ? "└─ " : "├─ "); };
  for (const TopologyBranch& below : branch.branches) {
    const std::string uplink = below.uplink != nullptr ? link_text(*below.uplink) : "";
    lines.push_back(arm() + (below.uplink != nullptr ? "switch " : "port ") + below.address + uplink);
    draw(below, indent + (drawn == children ? "   " : "│  "), lines);
  }
  for (const TopologyDevice& device : branch.devices)
    lines.push_back(arm() + device.name + "  " + device.link->address + link_text(*device.link) +
                    (device.describe.empty() ? "" : "  " + device.describe));
}

std::string caches_of(const Machine& machine) {
  std::string text;
  for (const Cache& cache : machine.cpu.caches)
    if (cache.type != "instruction")
      text += fmt::format("{}{} {} x {}", text.empty() ? "" : ", ", readable_cache_name(cache),
                          readable_bytes(cache.bytes), cache.instances);
  return text;
}

Lines socket_lines(const TopologySocket& socket) {
  Lines lines;
  for (const TopologyNode& node : socket.nodes) {
    if (node.numa != nullptr)
      lines.push_back(fmt::format("NUMA node {}: {}, {} cores, CPUs {}", node.numa->id,
                                  readable_bytes(node.numa->bytes), node.numa->cores,
                                  node.numa->cpus.empty() ? "none" : format_cpu_list(node.numa->cpus)));
    else
      lines.emplace_back("NUMA node unknown");
    draw(node.below, "", lines);
  }
  return lines;
}

std::string box(const std::string& title, const Lines& lines) {
  std::size_t width = display_width(title) + 2;
  for (const std::string& line : lines) width = std::max(width, display_width(line));
  const auto rule = [](std::size_t length) {
    std::string text;
    while (length-- > 0) text += "─";
    return text;
  };
  std::string text = "┌─ " + title + " " + rule(width - display_width(title) - 1) + "┐\n";
  for (const std::string& line : lines) text += "│ " + padded(line, width) + " │\n";
  return text + "└" + rule(width + 2) + "┘\n";
}

}  // namespace

std::string topology_text(const Machine& machine) {
  std::string text = machine.cpu.model.empty() ? "" : machine.cpu.model + "; ";
  text += caches_of(machine) + "\n";
  for (const TopologySocket& socket : topology(machine))
    text +=
        box(socket.id >= 0 ? "socket " + std::to_string(socket.id) : "socket unknown", socket_lines(socket));
  if (machine.gpus.empty()) text += "no GPU: " + machine.gpu_unavailable + "\n";
  if (machine.hcas.empty()) text += "no RDMA device\n";
  return text;
}

}  // namespace assay::machine
