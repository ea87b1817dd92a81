// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Fields of RoCE flows' queue pairs that switches read: UDP source ports, and the queue pair numbers at the
// receiving end.
#pragma once

#include <vector>

#include "harness/core/measure/report.hpp"
#include "rdma/traffic/wiring/wiring.hpp"

namespace assay::rdma {

/// Queue pairs of each flow that begins here, the way its payload goes: of a read, towards the rank that
/// reads. Empty for flows of other ranks, for UD, whose port its driver draws, and without RoCE v2.
std::vector<std::vector<core::QueuePairReport>> own_queue_pairs(const Wiring& wiring);

/// Queue pairs of the flows of all ranks, as own_queue_pairs() has them; all ranks call it. Empty where there
/// are more than a record lists.
std::vector<std::vector<core::QueuePairReport>> gather_queue_pairs(const Wiring& wiring);

}  // namespace assay::rdma
