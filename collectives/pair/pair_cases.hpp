// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// collectives.tcp.* and collectives.shared_memory.*: the host's transports between ranks 0 and 1, as
// rdma.verbs.* measures verbs.
#pragma once

#include <vector>

#include "collectives/measure/collective_settings.hpp"
#include "harness/core/measure/benchmark.hpp"

namespace assay::collectives {

std::vector<core::Case> pair_cases(const CaseMaker& maker);

}  // namespace assay::collectives
