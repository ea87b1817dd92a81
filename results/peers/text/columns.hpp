// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Columns of a line between spaces and tabs, and words in small letters.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace assay::results::peers {

inline constexpr std::string_view blanks = " \t";

constexpr bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }
constexpr bool is_letter(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
}

inline std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

/// At most `most` of them: a line of megabytes is not a row.
inline std::vector<std::string_view> columns_of(std::string_view text, std::size_t most = 64) {
  std::vector<std::string_view> columns;
  std::size_t at = text.find_first_not_of(blanks);
  while (at != std::string_view::npos && columns.size() < most) {
    const std::size_t end = text.find_first_of(blanks, at);
    columns.push_back(text.substr(at, end - at));
    at = end == std::string_view::npos ? end : text.find_first_not_of(blanks, end);
  }
  return columns;
}

inline std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char letter) { return std::tolower(letter); });
  return lower;
}

/// "0.8" of "v0.8" and of "0.8".
inline std::string without_v(std::string_view version) {
  return std::string(version.substr(version.starts_with('v') ? 1 : 0));
}

/// "targeted_stress" of "Targeted Stress": what is between letters and digits becomes one underscore.
inline std::string snake_case(std::string_view words) {
  std::string name;
  for (const char letter : lower_case(words))
    if (std::isalnum(static_cast<unsigned char>(letter)) != 0)
      name += letter;
    else if (!name.empty() && name.back() != '_')
      name += '_';
  return name;
}

/// The text after the first `mark` and blanks, up to `until` and trimmed; empty where there is no such mark.
inline std::string_view after(std::string_view text, std::string_view mark, std::string_view until = {}) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return {};
  text = trimmed(text.substr(at + mark.size()));
  if (!until.empty()) text = text.substr(0, text.find(until));
  return trimmed(text);
}

}  // namespace assay::results::peers
