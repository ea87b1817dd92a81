// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/peers/peer_time.hpp"

#include <algorithm>

#include "results/peers/text/columns.hpp"
#include "results/peers/text/printed_number.hpp"

namespace assay::results::peers {
namespace {

/// The number of these digits; nothing where one is not a digit.
std::optional<int> digits_at(std::string_view text, std::size_t at, std::size_t count) {
  if (text.size() < at + count) return std::nullopt;
  int number = 0;
  for (const char letter : text.substr(at, count)) {
    if (!is_digit(letter)) return std::nullopt;
    number = number * 10 + (letter - '0');
  }
  return number;
}

std::optional<std::chrono::sys_days> date_at(std::string_view text) {
  const auto year = digits_at(text, 0, 4), month = digits_at(text, 5, 2), day = digits_at(text, 8, 2);
  if (!year || !month || !day || text[4] != '-' || text[7] != '-') return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  return date.ok() ? std::optional(std::chrono::sys_days(date)) : std::nullopt;
}

}  // namespace

std::optional<std::chrono::minutes> zone_from(std::string_view text) {
  if (text == "UTC" || text == "Z" || text == "GMT") return std::chrono::minutes(0);
  if (text.empty() || (text[0] != '+' && text[0] != '-')) return std::nullopt;
  const auto hours = digits_at(text, 1, 2);
  const auto minutes = digits_at(text, text.size() - 2, 2);
  const bool form = text.size() == 5 || (text.size() == 6 && text[3] == ':');
  if (!hours || !minutes || !form || *hours > 14 || *minutes > 59) return std::nullopt;
  const auto ahead = std::chrono::minutes(*hours * 60 + *minutes);
  return text[0] == '-' ? -ahead : ahead;
}

std::optional<PeerTime> peer_time(std::string_view text, std::optional<std::chrono::minutes> zone) {
  const auto date = date_at(text);
  const auto hour = digits_at(text, 11, 2), minute = digits_at(text, 14, 2), second = digits_at(text, 17, 2);
  if (!date || !hour || !minute || !second || *hour > 23 || *minute > 59 || *second > 60) return std::nullopt;
  text.remove_prefix(19);
  double fraction = 0;
  if (text.starts_with('.') || text.starts_with(',')) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789", 1), text.size());
    if (const auto number = printed_number("0." + std::string(text.substr(1, end - 1))))
      fraction = number->value;
    text.remove_prefix(end);
  }
  const auto own = zone_from(trimmed(text));
  if (!own && !trimmed(text).empty() && trimmed(text) != "local time") return std::nullopt;
  const auto ahead = own ? own : zone;
  auto utc = std::chrono::system_clock::time_point(*date) + std::chrono::hours(*hour) +
             std::chrono::minutes(*minute) + std::chrono::seconds(*second) +
             std::chrono::milliseconds(static_cast<int>(fraction * 1000)) -
             ahead.value_or(std::chrono::minutes(0));
  return PeerTime{utc, !ahead};
}

}  // namespace assay::results::peers
