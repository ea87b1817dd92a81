// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The clock of traffic: time stamps that cost as little as the processor allows, and the seconds that say
// what a tick is worth around each block of them. Simulated adapters bring a clock of their own.
#pragma once

#include <cstdint>

namespace assay::rdma {

std::uint64_t ticks();
double traffic_seconds();

}  // namespace assay::rdma
