// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/host/topology.hpp"

#include <cerrno>

#include "harness/core/error.hpp"

namespace assay::host {
namespace {

Topology load() {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0)
    throw core::Error(core::ErrorKind::system, "hwloc_topology_init", errno);
  Topology loaded{core::Handle<hwloc_topology_t, hwloc_topology_destroy>(raw), Bitmap(hwloc_bitmap_alloc())};
  if (hwloc_topology_load(raw) != 0) throw core::Error(core::ErrorKind::system, "hwloc_topology_load", errno);

  hwloc_bitmap_t allowed = loaded.allowed.get();
  if (hwloc_get_cpubind(raw, allowed, HWLOC_CPUBIND_THREAD) != 0) hwloc_bitmap_fill(allowed);
  hwloc_bitmap_and(allowed, allowed, hwloc_topology_get_allowed_cpuset(raw));
  return loaded;
}

}  // namespace

const Topology& topology() {
  static const Topology once = load();
  return once;
}

}  // namespace assay::host
