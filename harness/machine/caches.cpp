// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The caches of the CPUs this process may use: from sysfs, and from hwloc (which asks the processor itself)
// where a hypervisor or sandbox hides them from sysfs.
#include <hwloc.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "harness/core/files/handle.hpp"
#include "harness/machine/parts.hpp"

namespace assay::machine {

namespace {

using Kind = std::tuple<int, std::string, std::int64_t, std::int64_t>;  // level, type, bytes, line bytes

std::string lower(std::string text) {
  for (char& letter : text)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  return text;
}

/// sysfs writes "48K", "2048K", "105M" in different kernels.
std::int64_t cache_bytes(const Tree& tree, const std::string& path) {
  const std::string text = tree.text(path);
  std::int64_t bytes = tree.read_integer(path).value_or(0);
  if (text.ends_with('K')) bytes *= 1024;
  if (text.ends_with('M')) bytes *= 1024 * 1024;
  return bytes;
}

std::vector<Cache> in_order(const std::map<Kind, int>& instances) {
  std::vector<Cache> caches;
  for (const auto& [kind, count] : instances)
    caches.push_back({std::get<0>(kind), std::get<1>(kind), std::get<2>(kind), std::get<3>(kind), count});
  return caches;
}

std::string type_name(hwloc_obj_cache_type_t type) {
  if (type == HWLOC_OBJ_CACHE_DATA) return "data";
  return type == HWLOC_OBJ_CACHE_INSTRUCTION ? "instruction" : "unified";
}

}  // namespace

std::vector<Cache> caches_from_hwloc() {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) return {};
  const core::Handle<hwloc_topology_t, hwloc_topology_destroy> topology(raw);
  hwloc_topology_set_all_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_NONE);
  hwloc_topology_set_cache_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_ALL);
  hwloc_topology_set_icache_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_ALL);
  if (hwloc_topology_load(raw) != 0) return {};
  std::map<Kind, int> instances;
  for (int depth = 0; depth < hwloc_topology_get_depth(raw); ++depth) {
    if (hwloc_obj_type_is_cache(hwloc_get_depth_type(raw, depth)) == 0) continue;
    for (hwloc_obj_t one = nullptr; (one = hwloc_get_next_obj_by_depth(raw, depth, one)) != nullptr;) {
      const auto& cache = one->attr->cache;
      ++instances[{static_cast<int>(cache.depth), type_name(cache.type),
                   static_cast<std::int64_t>(cache.size), static_cast<std::int64_t>(cache.linesize)}];
    }
  }
  return in_order(instances);
}

std::vector<Cache> read_caches(const Tree& tree, const std::vector<int>& cpus, Notes& notes) {
  std::map<Kind, int> instances;
  std::set<std::string> seen;  // an instance is its index and the CPUs that share it
  for (int cpu : cpus) {
    const std::string directory = "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cache/";
    for (int index = 0;; ++index) {
      const std::string one = directory + "index" + std::to_string(index) + "/";
      const auto level = tree.read_integer(one + "level");
      if (!level) break;
      if (!seen.insert(std::to_string(index) + ":" + tree.text(one + "shared_cpu_list")).second) continue;
      ++instances[{static_cast<int>(*level), lower(tree.text(one + "type")), cache_bytes(tree, one + "size"),
                   tree.read_integer(one + "coherency_line_size").value_or(0)}];
    }
  }
  std::vector<Cache> caches = in_order(instances);
  if (caches.empty() && tree.is_this_machine()) caches = caches_from_hwloc();
  if (caches.empty())
    notes.emplace_back(
        "no cache is described in /sys/devices/system/cpu: operands cannot be sized to leave the "
        "last-level cache, and footprints cannot be named by level");
  return caches;
}

std::int64_t Machine::last_level_cache_bytes() const {
  const Cache* last = nullptr;
  for (const Cache& cache : cpu.caches)
    if (cache.type != "instruction" && (last == nullptr || cache.level > last->level ||
                                        (cache.level == last->level && cache.bytes > last->bytes)))
      last = &cache;
  return last != nullptr ? last->bytes : 0;
}

}  // namespace assay::machine
