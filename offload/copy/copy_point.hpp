// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Copies that a point asks for, the axes that describe them, and whether there is space for them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/core/measure/benchmark.hpp"
#include "offload/copy/copy_way.hpp"

namespace assay::offload {

core::Axis bytes_axis(const char* meaning);
core::Axis direction_axis();
core::Axis by_axis(const char* meaning);
core::Axis memory_axis(std::vector<std::string> kinds);
core::Axis blocks_axis();
core::Axis ways_axis();

/// Bytes of one copy each way; both ways count together.
core::Work copy_work(std::int64_t bytes, int ways);

/// The copy by axes direction, by, memory, bytes, blocks; and numa, where the point has it. Throws a usage
/// Error naming axis and value.
CopyWay copy_way(const core::Point& point);
/// The peer copy by axes from, to, by, on, ways, bytes, blocks. Throws a usage Error naming axis and value.
PeerWay peer_way(const core::Point& point);

/// Why the memory of `copies` such copies at once, each with a GPU of its own, does not fit, with the bytes.
/// An available amount that is not known is 0.
std::optional<std::string> no_space(const CopyWay& way, std::int64_t copies, std::int64_t free_device_bytes,
                                    std::int64_t available_host_bytes);

/// Why the memory of a copy between two GPUs does not fit, by what is free on each.
std::optional<std::string> no_space(const PeerWay& way, std::int64_t free_from_bytes,
                                    std::int64_t free_to_bytes);

}  // namespace assay::offload
