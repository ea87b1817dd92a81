// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Placement of a host point's memory and threads: the axes for it, and why a machine cannot place a point.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/measure/axis.hpp"
#include "harness/host/arena.hpp"
#include "harness/host/host_site.hpp"
#include "harness/machine/machine.hpp"

namespace assay::memory {

core::Axis numa_axis(const machine::Machine& machine);
core::Axis cpu_node_axis();
core::Axis pages_axis(const std::vector<core::Value>& defaults);
core::Axis threads_axis(const machine::Machine& machine);

/// A host point as a struct. What a case does not sweep keeps its default; threads run on the node of the
/// memory unless `cpu_node` says otherwise.
struct HostSettings {
  std::int64_t bytes = 0;
  host::HostPlace place = {};
  host::Pages pages = host::Pages::transparent;
};
HostSettings host_settings(const core::Point& point);

/// Why this machine cannot place the point, or nothing.
std::optional<std::string> cannot_place(const machine::Machine& machine, const HostSettings& settings);

/// Bytes of the last-level caches of the whole machine together.
std::int64_t all_last_level_caches_bytes(const machine::Machine& machine);

/// Default footprint of a sweep beyond the caches: `times` all last-level caches, 256 MiB at least. At most a
/// sixteenth of memory, down to a power of two: a virtual machine may show the caches of its whole host.
std::int64_t footprint_beyond_caches(const machine::Machine& machine, std::int64_t times);

/// "cold" where a footprint swept from end to end finds nothing of itself left in any cache (at least 3 times
/// all last-level caches), else "hot".
std::string cache_state(const machine::Machine& machine, std::int64_t footprint_bytes);

}  // namespace assay::memory
