// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What a point says of the copies it asks for, and the axes that say it.
#pragma once

#include <string>
#include <vector>

#include "harness/core/benchmark.hpp"
#include "offload/copy/host_copy.hpp"
#include "offload/copy/peer_copy.hpp"

namespace assay::offload {

core::Axis bytes_axis(const char* meaning);
core::Axis direction_axis();
core::Axis by_axis(const char* meaning);
core::Axis memory_axis(std::vector<std::string> kinds);
core::Axis blocks_axis();
core::Axis ways_axis();

/// Bytes of one copy each way; both ways count together.
core::Work copy_work(std::int64_t bytes, bool both_ways);

/// Of axes direction, by, memory, bytes, blocks; and numa, where the point has it. Throws a usage Error
/// naming axis and value.
CopyWay copy_way(const core::Point& point);
/// Of axes from, to, by, on, ways, bytes, blocks. Throws a usage Error naming axis and value.
PeerWay peer_way(const core::Point& point);

}  // namespace assay::offload
