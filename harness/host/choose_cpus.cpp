// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "harness/core/error.hpp"
#include "harness/host/pinned_threads.hpp"
#include "harness/host/topology.hpp"

namespace assay::host {
namespace {

struct Candidate {
  int sibling;  // 0 for the first hardware thread of its core
  int cpu;
};

hwloc_const_bitmap_t cpus_of(hwloc_topology_t hwloc, int node) {
  if (node < 0) return hwloc_topology_get_allowed_cpuset(hwloc);
  const hwloc_obj_t object = hwloc_get_numanode_obj_by_os_index(hwloc, static_cast<unsigned>(node));
  if (object == nullptr) core::usage_error(fmt::format("this machine has no NUMA node {}", node));
  return object->cpuset;
}

std::vector<Candidate> candidates(int node) {
  const Topology& machine = topology();
  hwloc_topology_t hwloc = machine.hwloc.get();
  const Bitmap usable(hwloc_bitmap_alloc());
  hwloc_bitmap_and(usable.get(), cpus_of(hwloc, node), machine.allowed.get());

  std::vector<Candidate> found;
  std::map<hwloc_obj_t, int> siblings;
  for (hwloc_obj_t pu = nullptr; (pu = hwloc_get_next_obj_by_type(hwloc, HWLOC_OBJ_PU, pu)) != nullptr;) {
    if (!hwloc_bitmap_isset(usable.get(), pu->os_index)) continue;
    const hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(hwloc, HWLOC_OBJ_CORE, pu);
    found.push_back({core == nullptr ? 0 : siblings[core]++, static_cast<int>(pu->os_index)});
  }
  return found;
}

}  // namespace

std::vector<int> choose_cpus(int count, int node) {
  if (count < 1) core::usage_error(fmt::format("{} threads asked for: expected at least 1", count));
  std::vector<Candidate> found = candidates(node);
  if (static_cast<std::size_t>(count) > found.size())
    core::usage_error(fmt::format("{} threads asked for, but {} has {} CPUs this process may use", count,
                                  node < 0 ? "this machine" : fmt::format("NUMA node {}", node),
                                  found.size()));
  std::stable_sort(found.begin(), found.end(),
                   [](const Candidate& a, const Candidate& b) { return a.sibling < b.sibling; });
  std::vector<int> cpus;
  for (int i = 0; i < count; ++i) cpus.push_back(found[static_cast<std::size_t>(i)].cpu);
  return cpus;
}

std::string cpu_list(const std::vector<int>& cpus) { return fmt::format("{}", fmt::join(cpus, ",")); }

}  // namespace assay::host
