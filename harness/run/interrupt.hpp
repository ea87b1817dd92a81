// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Ctrl-C: once, finish the sample (or give up a wait that takes long, see core/stop_request.hpp), write, exit
// 4; twice, at once.
#pragma once

#include <atomic>

namespace assay::run {

/// Installs the handler for SIGINT, SIGTERM and SIGHUP; the flag turns true on the first signal, the second
/// ends the process with exit code 4 at once. What was already written to the journal is on the disk by then.
/// A broken pipe is ignored.
const std::atomic<bool>& catch_interrupts();

}  // namespace assay::run
