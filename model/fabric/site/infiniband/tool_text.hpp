// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Lines and numbers of what InfiniBand tools print.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "harness/core/files/input_lines.hpp"

namespace assay::model::fabric {

inline constexpr std::uint32_t last_unicast_lid = 0xbfff;
inline constexpr std::uint32_t most_lmc = 7;     // a port has 2^LMC LIDs
inline constexpr std::uint32_t last_port = 254;  // of a node

/// Takes "12" or "0x0c" from the front of the text; nothing where no number is there, or one beyond 64 bits.
inline std::optional<std::uint64_t> take_number(std::string_view& text) {
  std::string_view rest = text;
  const bool is_hex = rest.starts_with("0x");
  if (is_hex) rest.remove_prefix(2);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number, is_hex ? 16 : 10);
  if (error != std::errc()) return std::nullopt;
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  text = rest;
  return number;
}

/// Text behind a word's first occurrence; nothing where there is none.
inline std::optional<std::string_view> text_after(std::string_view line, std::string_view word) {
  const std::size_t at = line.find(word);
  return at == std::string_view::npos ? std::nullopt : std::optional(line.substr(at + word.size()));
}

/// "base LID 7" behind "base LID ".
inline std::optional<std::uint64_t> number_after(std::string_view line, std::string_view word) {
  auto rest = text_after(line, word);
  return rest ? take_number(*rest) : std::nullopt;
}

/// Calls `reader.read(line, is_too_long)` with every line of a file; InputLines' errors.
template <class Reader>
void read_lines(const std::string& file, const std::string& expected, std::size_t most_bytes,
                Reader& reader) {
  core::InputLines lines(file, expected, most_bytes);
  while (lines.next()) reader.read(lines.line(), lines.too_long());
}

/// As above, with every line of a text.
template <class Reader>
void parse_lines(std::string_view text, std::size_t most_bytes, Reader& reader) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    reader.read(line, line.size() > most_bytes);
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
}

}  // namespace assay::model::fabric
