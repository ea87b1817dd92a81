// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The conditions of a point at one rank: device, address, path, what was granted.
#pragma once

#include <vector>

#include "harness/core/measure/benchmark.hpp"
#include "rdma/traffic/wiring/wiring.hpp"

namespace assay::rdma {

std::vector<core::Fact> conditions_of(const Wiring& wiring);

/// The UDP source port of each queue pair that begins here, where the path is RoCE v2; else empty.
std::vector<int> source_ports(const Wiring& wiring);

}  // namespace assay::rdma
