// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The hwloc view of this machine, loaded once per process. Internal to harness/host.
#pragma once

#include <hwloc.h>

#include "harness/core/files/handle.hpp"

namespace assay::host {

using Bitmap = core::Handle<hwloc_bitmap_t, hwloc_bitmap_free>;

struct Topology {
  core::Handle<hwloc_topology_t, hwloc_topology_destroy> hwloc;
  Bitmap
      allowed;  // CPUs this process was given (cgroup and inherited affinity), before assay binds any thread
};

/// Throws core::Error(system) when hwloc cannot read this machine.
const Topology& topology();

}  // namespace assay::host
