// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Waits for descriptors that signals do not shorten: poll() ends with EINTR at each of them.
#pragma once

#include <poll.h>

#include <span>

namespace assay::core {

/// As poll() for `limit_s`: how many are ready, 0 where none is by then, -1 with errno, which is not EINTR.
int ready_within(std::span<pollfd> waiting, double limit_s);

}  // namespace assay::core
