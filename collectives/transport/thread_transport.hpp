// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Ranks that are threads of one process: a message is one copy, made by the receiver out of the sender's
// memory once both have come.
#pragma once

#include <memory>
#include <vector>

#include "collectives/transport/transport.hpp"

namespace assay::collectives {

/// n transports by rank, each for one thread. A wait() longer than `limit_s` throws core::Error (team).
std::vector<std::unique_ptr<Transport>> make_thread_transports(int n, double limit_s = 60);

}  // namespace assay::collectives
