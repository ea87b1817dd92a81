// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/peers/text/json_string.hpp"

#include <cstdint>
#include <optional>

namespace assay::results::peers {
namespace {

void append_utf8(std::string& text, std::uint32_t code) {
  if (code < 0x80U) {
    text += static_cast<char>(code);
  } else if (code < 0x800U) {
    text += static_cast<char>(0xc0U | (code >> 6U));
    text += static_cast<char>(0x80U | (code & 0x3fU));
  } else {
    text += static_cast<char>(0xe0U | (code >> 12U));
    text += static_cast<char>(0x80U | ((code >> 6U) & 0x3fU));
    text += static_cast<char>(0x80U | (code & 0x3fU));
  }
}

std::optional<std::uint32_t> four_digits(JsonCharacters& from) {
  std::uint32_t code = 0;
  for (int i = 0; i < 4; ++i) {
    if (from.at_end()) return std::nullopt;
    const char letter = from.peek();
    const std::string_view digits = "0123456789abcdef";
    const std::size_t value =
        digits.find(letter >= 'A' && letter <= 'F' ? static_cast<char>(letter + 32) : letter);
    if (value == std::string_view::npos) return std::nullopt;
    code = code * 16 + static_cast<std::uint32_t>(value);
    from.take();
  }
  return code;
}

/// After the backslash. Surrogates, of characters that no tool's numbers need, become a question mark.
bool escaped(JsonCharacters& from, std::string& text) {
  constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
  const char letter = from.take();
  if (const std::size_t known = letters.find(letter); known != std::string_view::npos) {
    text += meanings[known];
    return true;
  }
  if (letter == 'u') {
    if (const auto code = four_digits(from)) {
      append_utf8(text, *code >= 0xd800U && *code < 0xe000U ? std::uint32_t{'?'} : *code);
      return true;
    }
  }
  text += '\\';
  text += letter;
  return false;
}

}  // namespace

JsonString json_string(JsonCharacters& from) {
  JsonString read;
  from.take();
  while (!from.at_end() && from.peek() != '\n') {
    if (from.peek() == '"') {
      from.take();
      read.closed = true;
      return read;
    }
    const char letter = from.take();
    if (letter != '\\') {
      read.text += letter;
    } else if (from.at_end() || from.peek() == '\n') {
      return read;
    } else if (!escaped(from, read.text)) {
      read.odd_escape = true;
    }
  }
  return read;
}

}  // namespace assay::results::peers
