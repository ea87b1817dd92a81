// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The time of day as records write it.
#pragma once

#include <chrono>
#include <string>

namespace assay::core {

/// "2026-11-21T02:30:00.123Z"
std::string iso_time(std::chrono::system_clock::time_point when);
std::string iso_time_now();

/// "20261121T023000Z-host-1f3a": sorts by time; differs between machines and between starts in one second.
std::string new_run_id(const std::string& host);

}  // namespace assay::core
