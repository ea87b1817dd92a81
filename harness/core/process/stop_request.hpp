// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A request to stop this process (SIGTERM): the sample in flight is finished, and a wait that would last long
// beyond that ends.
#pragma once

namespace assay::core {

/// How long a sample may continue once it was asked to stop.
inline constexpr double stop_grace_s = 3;

/// How long a wait sleeps before it looks whether it was asked to stop.
inline constexpr double look_for_stop_s = 0.1;

/// A signal handler may call it. The first call counts.
void request_stop(double grace_s = stop_grace_s) noexcept;
/// For tests: as if no stop had been requested.
void withdraw_stop_request() noexcept;

/// Whether anyone asked, however long ago.
bool is_stop_requested() noexcept;
/// For a wait outside a measurement, at least every 0.1 s. Throws core::Interrupted "asked to stop while it
/// waited for WHAT" as soon as it was asked to stop.
void end_wait_at_stop_request(const char* what);

/// For a wait within a sample, again and again. Throws core::Interrupted "asked to stop while it waited for
/// WHAT" once it was asked to stop and the grace is over.
void end_wait_if_stopped(const char* what);
/// True where end_wait_if_stopped() throws.
bool is_stop_overdue() noexcept;

}  // namespace assay::core
