// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The number of times that this process was asked to stop, for the supervisor to pass on.
#pragma once

#include <atomic>

namespace assay::cli {

/// Counts SIGINT, SIGTERM and SIGHUP from the first call on.
const std::atomic<int>& count_interrupts();

}  // namespace assay::cli
