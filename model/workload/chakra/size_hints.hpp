// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Sizes of a trace that do not fit together.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/workload/chakra/trace.hpp"

namespace assay::model::workload {

/// Sharded training scatters as much as it gathers. For people: where an all-gather is instead a half or a
/// quarter of a reduce-scatter, or the reverse (elements for bytes), or states as much (the whole vector for
/// one rank's share). `group_sizes`: of each of exchanges_of(trace).
std::vector<std::string> size_hints(const Trace& trace, std::span<const std::uint32_t> group_sizes);

}  // namespace assay::model::workload
