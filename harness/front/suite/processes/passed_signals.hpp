// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The signals of a process that stands between a supervisor and what it started, and ends only after it.
#pragma once

#include <atomic>

namespace assay::suite {

/// The latest of SIGINT, SIGTERM, SIGHUP and SIGUSR1, none of which ends this process any more; 0: none yet.
const std::atomic<int>& pass_on_signals();

}  // namespace assay::suite
