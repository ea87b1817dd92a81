// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Times of day as tools print them, as records have them.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace assay::results::peers {

struct PeerTime {
  std::chrono::system_clock::time_point utc;
  bool zone_assumed = false;  // neither the text nor the user names one
};

/// "2026-02-04T01:00:00Z", "2026-02-04 01:00:00.5+02:00", "2026-02-04 01:00:00 local time". Nothing for
/// another form.
std::optional<PeerTime> peer_time(std::string_view text, std::optional<std::chrono::minutes> zone);

/// "UTC", "Z", "+02:00", "-0700". Nothing for another form.
std::optional<std::chrono::minutes> zone_from(std::string_view text);

}  // namespace assay::results::peers
