// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/peers/text/prefix.hpp"

#include <algorithm>

#include "results/peers/text/calendar_text.hpp"
#include "results/peers/text/columns.hpp"

namespace assay::results::peers {
namespace {

bool is_host_letter(char letter) {
  return is_digit(letter) || is_letter(letter) || letter == '-' || letter == '.' || letter == '_';
}

std::size_t count_while(std::string_view text, std::size_t at, bool (*holds)(char)) {
  const auto* const from = text.begin() + static_cast<std::ptrdiff_t>(std::min(at, text.size()));
  return static_cast<std::size_t>(std::find_if_not(from, text.end(), holds) - from);
}

/// Longer by the blank after it, if there is one: an empty line of a program may have lost it.
std::size_t with_blank(std::string_view line, std::size_t length) {
  return length < line.size() && line[length] == ' ' ? length + 1 : length;
}

/// "[1,0]<stdout>:"; later versions have more in the brackets, and a blank after the colon.
std::optional<Prefix> open_mpi(std::string_view line) {
  constexpr std::size_t longest = 200;
  const std::size_t close = line.substr(0, longest).find("]<std");
  if (!line.starts_with('[') || close == std::string_view::npos) return std::nullopt;
  const std::size_t colon = line.substr(0, longest).find(">:", close);
  if (colon == std::string_view::npos) return std::nullopt;
  return Prefix{with_blank(line, colon + 2), line.substr(1, close - 1)};
}

/// "label: ", where the colon may end the line.
std::optional<Prefix> labelled(std::string_view line, std::size_t begin, std::size_t length) {
  const std::size_t colon = begin + length;
  if (length == 0 || colon >= line.size() || line[colon] != ':') return std::nullopt;
  if (colon + 1 < line.size() && line[colon + 1] != ' ') return std::nullopt;
  return Prefix{with_blank(line, colon + 1), line.substr(begin, length)};
}

std::optional<Prefix> rank(std::string_view line) {
  const std::size_t begin = count_while(line, 0, [](char letter) { return letter == ' '; });
  return labelled(line, begin, count_while(line, begin, is_digit));
}

std::optional<Prefix> pod(std::string_view line) {
  const std::size_t close = line.substr(0, 512).find(']');
  if (!line.starts_with("[pod/") || close == std::string_view::npos) return std::nullopt;
  return Prefix{with_blank(line, close + 1), line.substr(1, close - 1)};
}

std::size_t host_length(std::string_view line) {
  const std::size_t length = count_while(line, 0, is_host_letter);
  const std::string_view name = line.substr(0, length);
  return !name.empty() && std::ranges::any_of(name, is_letter) ? length : 0;
}

std::optional<Prefix> piped(std::string_view line) {
  const std::size_t length = host_length(line);
  if (length == 0 || !line.substr(length).starts_with(" |")) return std::nullopt;
  return Prefix{with_blank(line, length + 2), line.substr(0, length)};
}

/// The length of what has the form of `pattern`, where 0 is any digit.
std::size_t of_form(std::string_view text, std::string_view pattern) {
  if (text.size() < pattern.size()) return 0;
  for (std::size_t i = 0; i < pattern.size(); ++i)
    if (pattern[i] == '0' ? !is_digit(text[i]) : text[i] != pattern[i]) return 0;
  return pattern.size();
}

/// "2026-02-04T01:00:00.123Z ", with or without brackets, a fraction and a zone.
std::optional<Prefix> iso_time(std::string_view line) {
  const std::size_t begin = line.starts_with('[') ? 1 : 0;
  const std::string_view text = line.substr(begin);
  std::size_t length = std::max(of_form(text, "0000-00-00T00:00:00"), of_form(text, "0000-00-00 00:00:00"));
  if (length == 0) return std::nullopt;
  if (length < text.size() && (text[length] == '.' || text[length] == ','))
    length += 1 + count_while(text, length + 1, is_digit);
  const std::string_view zone = text.substr(length);
  if (zone.starts_with('Z')) length += 1;
  for (const std::string_view form : {"+00:00", "-00:00", "+0000", "-0000"})
    if (const std::size_t zone_length = of_form(zone, form)) length += zone_length;
  std::size_t end = begin + length;
  if (begin == 1 && end < line.size() && line[end] == ']') ++end;
  if (end < line.size() && line[end] != ' ' && line[end] != '\t') return std::nullopt;
  return Prefix{std::min(end + 1, line.size()), line.substr(begin, length)};
}

/// "Feb  4 01:00:00 host program[123]: "
std::optional<Prefix> syslog_time(std::string_view line) {
  if (line.size() < 16 || !month_named(line.substr(0, 3))) return std::nullopt;
  if (of_form(line.substr(3), " 00 00:00:00 ") == 0 && of_form(line.substr(3), "  0 00:00:00 ") == 0)
    return std::nullopt;
  const std::size_t colon = line.find(": ", 16);
  const std::string_view sender = line.substr(16, colon - 16);
  if (colon == std::string_view::npos || std::ranges::count(sender, ' ') != 1) return std::nullopt;
  return Prefix{colon + 2, line.substr(0, 15)};
}

}  // namespace

std::optional<Prefix> prefix_of(PrefixKind kind, std::string_view line) {
  switch (kind) {
    case PrefixKind::open_mpi:
      return open_mpi(line);
    case PrefixKind::rank:
      return rank(line);
    case PrefixKind::pod:
      return pod(line);
    case PrefixKind::piped:
      return piped(line);
    case PrefixKind::host:
      return labelled(line, 0, host_length(line));
    case PrefixKind::time:
      break;
  }
  const auto iso = iso_time(line);
  return iso ? iso : syslog_time(line);
}

}  // namespace assay::results::peers
