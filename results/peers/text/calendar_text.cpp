// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/peers/text/calendar_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "harness/core/calendar.hpp"
#include "results/peers/text/columns.hpp"
#include "results/peers/text/printed_number.hpp"

namespace assay::results::peers {

std::optional<int> month_named(std::string_view word) {
  constexpr std::array<std::string_view, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                    "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto* const month = std::ranges::find(months, word);
  return month == months.end() ? std::nullopt : std::optional(static_cast<int>(month - months.begin()) + 1);
}

namespace {

/// "16:50:50" of "04:50:50" in the afternoon; empty: no such hour.
std::string of_twelve_hours(std::string_view time, bool afternoon) {
  const auto hour = whole_number(time.substr(0, 2));
  if (!hour || *hour < 1 || *hour > 12) return "";
  return fmt::format("{:02}{}", *hour % 12 + (afternoon ? 12 : 0), time.substr(2));
}

}  // namespace

std::string started_of_ctime(std::string_view text) {
  auto words = columns_of(text, 8);
  std::string in_24_hours;
  if (words.size() >= 6 && (words[4] == "AM" || words[4] == "PM")) {
    in_24_hours = of_twelve_hours(words[3], words[4] == "PM");
    words[3] = in_24_hours;
    words.erase(words.begin() + 4);
  }
  if (words.size() != 5 && words.size() != 6) return "";
  const auto month = month_named(words[1]);
  const auto day = whole_number(words[2]), year = whole_number(words.back());
  const std::string_view time = words[3];
  if (!month || !day || !year || *day < 1 || *day > 31 || *year < 1970 || *year > 9999 || time.size() != 8 ||
      time[2] != ':' || time[5] != ':')
    return "";
  const std::string date = fmt::format("{:04}-{:02}-{:02}", *year, *month, *day);
  const bool universal = words.size() == 6 && (words[4] == "UTC" || words[4] == "GMT");
  return universal ? fmt::format("{}T{}Z", date, time) : fmt::format("{} {} local time", date, time);
}

std::string started_of_epoch(std::int64_t seconds) {
  constexpr std::int64_t latest = std::int64_t{1} << 33;
  if (seconds <= 0 || seconds > latest) return "";
  const std::string time =
      core::iso_time(std::chrono::system_clock::time_point(std::chrono::seconds(seconds)));
  return time.substr(0, 19) + "Z";
}

}  // namespace assay::results::peers
