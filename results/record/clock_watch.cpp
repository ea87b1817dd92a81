// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/record/clock_watch.hpp"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <utility>

namespace assay::results {
namespace {

/// Times may be written in whole seconds, and a clock is adjusted by less than this all the time.
constexpr double tolerance_s = 1;
/// Between the end of one point and the start of the next; what is prepared between them takes minutes at
/// most.
constexpr double longest_pause_s = 3600;

template <class Value>
bool read(std::string_view text, Value& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::optional<double> seconds_of(std::string_view iso_time) {
  constexpr std::string_view form = "dddd-dd-ddTdd:dd:dd";
  if (iso_time.size() <= form.size() || !iso_time.ends_with('Z')) return std::nullopt;
  for (std::size_t i = 0; i < form.size(); ++i)
    if (form[i] != 'd' && iso_time[i] != form[i]) return std::nullopt;
  int year = 0, hour = 0, minute = 0;
  unsigned month = 0, day = 0;
  double second = 0;
  if (!read(iso_time.substr(0, 4), year) || !read(iso_time.substr(5, 2), month) ||
      !read(iso_time.substr(8, 2), day) || !read(iso_time.substr(11, 2), hour) ||
      !read(iso_time.substr(14, 2), minute) || !read(iso_time.substr(17, iso_time.size() - 18), second))
    return std::nullopt;
  const std::chrono::year_month_day date =
      std::chrono::year(year) / std::chrono::month(month) / std::chrono::day(day);
  if (!date.ok() || hour > 23 || minute > 59 || second >= 61) return std::nullopt;
  const std::chrono::seconds whole = std::chrono::sys_days(date).time_since_epoch() +
                                     std::chrono::hours(hour) + std::chrono::minutes(minute);
  return static_cast<double>(whole.count()) + second;
}

std::optional<std::string> ClockWatch::see(std::string_view when, double elapsed_s, const char* what) {
  const auto seconds = seconds_of(when);
  if (!seconds) {
    if (std::exchange(reported_, true)) return std::nullopt;
    return fmt::format("{} '{}': expected a time such as 2026-01-02T03:04:05.678Z", what, when);
  }
  std::optional<std::string> said;
  if (not_before_s_ && !reported_ && *seconds < *not_before_s_ - tolerance_s) {
    said = fmt::format(
        "the clock went back: {} {}, and what was written before it at {} ended {:.1f} s later: "
        "times of this process do not hold",
        what, when, earlier_, *not_before_s_ - *seconds);
    reported_ = true;
  }
  if (not_before_s_ && !reported_ && *seconds > *not_before_s_ + longest_pause_s) {
    said = fmt::format(
        "the clock jumped ahead, or the process stood still: {} {}, {:.0f} s after what was written before "
        "it at {} "
        "ended: times of this process do not hold",
        what, when, *seconds - *not_before_s_, earlier_);
    reported_ = true;
  }
  not_before_s_ = *seconds + (elapsed_s > 0 ? elapsed_s : 0);
  earlier_ = when;
  return said;
}

std::optional<std::string> ClockWatch::see(const ContextRecord& context) {
  if (context.run_id != run_) *this = {};
  run_ = context.run_id;
  reported_ = false;
  return see(context.started, 0, "a process started at");
}

std::optional<std::string> ClockWatch::see(const EndRecord& end) { return see(end.ended, 0, "it ended at"); }

}  // namespace assay::results
