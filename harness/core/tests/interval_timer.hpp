// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Signals at a moment that nothing in the process chooses.
#pragma once

#include <sys/time.h>

#include <chrono>

namespace assay::core::tests {

/// The kernel sends this process SIGALRM once, this much later: without a handler it dies of it at once,
/// wherever it is.
inline void send_alarm_after(std::chrono::microseconds time) {
  const auto us = time.count() > 0 ? time.count() : 1;  // 0 would mean never
  const itimerval once{.it_interval = {}, .it_value = {.tv_sec = us / 1'000'000, .tv_usec = us % 1'000'000}};
  setitimer(ITIMER_REAL, &once, nullptr);
}

}  // namespace assay::core::tests
