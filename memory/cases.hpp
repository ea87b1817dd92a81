// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Everything the memory module measures.
#pragma once

#include <vector>

#include "harness/core/benchmark.hpp"
#include "harness/machine/machine.hpp"

namespace assay::memory {

std::vector<core::Case> host_cases(const machine::Machine& machine);
/// memory.host.corruption and its self-test.
std::vector<core::Case> host_corruption_cases(const machine::Machine& machine);

/// The host's cases, then CUDA's (none in a build without CUDA).
std::vector<core::Case> cases(const machine::Machine& machine);

}  // namespace assay::memory
