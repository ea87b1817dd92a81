// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Times of day as the C library prints them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace assay::results::peers {

/// "2026-02-04T02:11:09Z" of "Wed Feb  4 02:11:09 UTC 2026", "2026-02-04 05:00:00 local time" without a zone,
/// or with one that has several meanings; "" of another form.
std::string started_of_ctime(std::string_view text);
/// 1 of "Jan"; nothing of other words.
std::optional<int> month_named(std::string_view word);
/// "2026-02-04T02:00:31Z" of seconds of the epoch.
std::string started_of_epoch(std::int64_t seconds);

inline bool is_local_time(std::string_view started) { return started.ends_with("local time"); }

}  // namespace assay::results::peers
