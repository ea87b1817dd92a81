// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/host/host_placement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string_view>
#include <thread>

#include "harness/core/units.hpp"

namespace assay::memory {
namespace {

constexpr std::int64_t none = -1;

/// A node without CPUs (an expander) can hold memory but run no thread.
std::int64_t fewest_cpus_of_a_node(const machine::Machine& machine) {
  std::int64_t fewest = 0;
  for (const machine::NumaNode& node : machine.numa) {
    const auto count = static_cast<std::int64_t>(node.cpus.size());
    if (count > 0) fewest = fewest == 0 ? count : std::min(fewest, count);
  }
  if (fewest == 0) fewest = machine.cpu.threads;
  return std::max<std::int64_t>(1, fewest != 0 ? fewest : std::thread::hardware_concurrency());
}

const machine::NumaNode* find_node(const machine::Machine& machine, std::int64_t id) {
  const auto found = std::ranges::find(machine.numa, id, &machine::NumaNode::id);
  return found == machine.numa.end() ? nullptr : &*found;
}

std::int64_t integer_or(const core::Point& point, std::string_view name, std::int64_t otherwise) {
  return point.has(name) ? point.integer(name) : otherwise;
}

}  // namespace

core::Axis numa_axis(const machine::Machine& machine) {
  core::Axis axis{
      .name = "numa",
      .meaning = "NUMA node of the memory; local: each thread's own node, threads over the machine",
      .values = {},
      .aliases = {{"local", none}}};
  for (const machine::NumaNode& node : machine.numa)
    if (node.bytes > 0) axis.values.emplace_back(std::int64_t{node.id});
  if (axis.values.empty()) axis.values.emplace_back(none);
  return axis;
}

core::Axis cpu_node_axis() {
  return {.name = "cpu_node",
          .meaning = "NUMA node of the threads; same: the node of the memory",
          .values = {none},
          .aliases = {{"same", none}}};
}

core::Axis pages_axis(const std::vector<core::Value>& defaults) {
  return {.name = "pages",
          .meaning = "page size asked for: the base page, or transparent huge pages",
          .domain = core::Domain::words,
          .values = defaults,
          .choices = {"base", "transparent"}};
}

core::Axis threads_axis(const machine::Machine& machine) {
  const std::int64_t all = fewest_cpus_of_a_node(machine);
  core::Axis axis{
      .name = "threads",
      .meaning = "threads, each pinned to one CPU, one per core first; all: every CPU of one NUMA node",
      .values = {std::int64_t{1}},
      .aliases = {{"all", all}}};
  if (all > 1) axis.values.emplace_back(all);
  return axis;
}

HostSettings host_settings(const core::Point& point) {
  const std::int64_t memory = integer_or(point, "numa", none), cpus = integer_or(point, "cpu_node", none);
  const bool base = point.has("pages") && point.text("pages") == "base";
  return {.bytes = integer_or(point, "bytes", 0),
          .place = {.threads = integer_or(point, "threads", 1),
                    .cpu_node = cpus == none ? memory : cpus,
                    .numa_node = memory},
          .pages = base ? host::Pages::base : host::Pages::transparent};
}

std::optional<std::string> cannot_place(const machine::Machine& machine, const HostSettings& settings) {
  const auto& [threads, cpus, memory] = settings.place;
  const std::int64_t bytes = settings.bytes;
  if (machine.memory.bytes > 0 && bytes > machine.memory.bytes)
    return fmt::format("bytes={}: this machine has {} of memory", core::format_bytes(bytes),
                       core::format_bytes(machine.memory.bytes));
  if (machine.numa.empty()) return std::nullopt;  // unknown: the system itself will refuse
  for (const std::int64_t id : {memory, cpus})
    if (id != none && find_node(machine, id) == nullptr)
      return fmt::format("this machine has no NUMA node {}", id);
  // Memory plugged in late is missing from some kernels' count of the only node.
  if (memory != none && machine.numa.size() > 1 && bytes > find_node(machine, memory)->bytes)
    return fmt::format("bytes={}: NUMA node {} has {}", core::format_bytes(bytes), memory,
                       core::format_bytes(find_node(machine, memory)->bytes));
  std::size_t usable = 0;
  for (const machine::NumaNode& node : machine.numa)
    if (cpus == none || node.id == cpus) usable += node.cpus.size();
  if (threads < 1 || static_cast<std::size_t>(threads) > usable)
    return fmt::format("threads={}: {} has {} CPUs this process may use", threads,
                       cpus == none ? "this machine" : fmt::format("NUMA node {}", cpus), usable);
  return std::nullopt;
}

std::int64_t all_last_level_caches_bytes(const machine::Machine& machine) {
  int last = 0;
  for (const machine::Cache& cache : machine.cpu.caches) last = std::max(last, cache.level);
  std::int64_t bytes = 0;
  for (const machine::Cache& cache : machine.cpu.caches)
    if (cache.level == last && cache.type != "instruction")
      bytes += cache.bytes * std::max(1, cache.instances);
  return bytes;
}

std::int64_t footprint_beyond_caches(const machine::Machine& machine, std::int64_t times) {
  const std::int64_t least = 256 * core::mib;
  const std::int64_t wanted = std::max(least, times * all_last_level_caches_bytes(machine));
  const std::int64_t memory = machine.memory.limit_bytes.value_or(machine.memory.bytes);
  if (memory == 0 || wanted <= memory / 16) return wanted;
  return std::max(least, static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(memory / 16))));
}

std::string cache_state(const machine::Machine& machine, std::int64_t footprint_bytes) {
  const std::int64_t caches = all_last_level_caches_bytes(machine);
  if (caches == 0) return "unknown";
  return footprint_bytes >= 3 * caches ? "cold" : "hot";
}

}  // namespace assay::memory
