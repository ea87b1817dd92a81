// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/printable.hpp"

#include <algorithm>
#include <array>

namespace assay::core {
namespace {

constexpr std::string_view cut_off = "...";
constexpr std::string_view replacement_character = "\xEF\xBF\xBD";  // U+FFFD
constexpr std::size_t message_head_bytes = 1399;
constexpr std::size_t message_tail_bytes = 600;

unsigned char byte_at(std::string_view text, std::size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
}

bool continues(unsigned char byte) { return (byte & 0xC0U) == 0x80; }

std::string escaped(unsigned char byte) {
  switch (byte) {
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      constexpr std::string_view digits = "0123456789abcdef";
      return {'\\', 'x', digits[byte >> 4U], digits[byte & 15U]};
  }
}

/// The bytes of `text` that show as one unit: a character, or a byte that is not one.
struct Shown {
  std::string text;
  std::size_t bytes;
};

Shown first_shown(std::string_view text) {
  const std::size_t length = utf8_length(text);
  if (length == 0 || begins_with_control(text)) return {escaped(byte_at(text, 0)), 1};
  return {std::string(text.substr(0, length)), length};
}

/// The characters at the end that need at most `most_bytes` when shown.
std::string printable_tail(std::string_view text, std::size_t most_bytes) {
  std::string_view rest = text.substr(text.size() - std::min(text.size(), most_bytes));
  while (!rest.empty() && continues(byte_at(rest, 0))) rest.remove_prefix(1);
  std::string all = printable(rest, 4 * most_bytes);
  while (all.size() > most_bytes && !rest.empty()) {
    rest.remove_prefix(first_shown(rest).bytes);
    all = printable(rest, 4 * most_bytes);
  }
  return all;
}

/// The Unicode Standard, annex 9, table 4, and the separators of lines and paragraphs: what follows shows
/// elsewhere.
bool moves_text(std::string_view text) {
  const unsigned char first = byte_at(text, 0), second = byte_at(text, 1), third = byte_at(text, 2);
  if (first == 0xD8) return second == 0x9C;  // U+061C
  if (first != 0xE2) return false;
  return (second == 0x80 && (third == 0x8E || third == 0x8F || (third >= 0xA8 && third <= 0xAE))) ||
         (second == 0x81 && third >= 0xA6 && third <= 0xA9);
}

}  // namespace

// U+0080 to U+009F are control characters, too.
bool begins_with_control(std::string_view text) {
  const unsigned char byte = byte_at(text, 0);
  return byte < 0x20 || byte == 0x7F || (byte == 0xC2 && byte_at(text, 1) < 0xA0) || moves_text(text);
}

// The table of well-formed byte sequences: The Unicode Standard, chapter 3, table 3-7.
std::size_t utf8_length(std::string_view text) {
  const unsigned char first = byte_at(text, 0), second = byte_at(text, 1);
  if (text.empty()) return 0;
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4) return 0;
  if (first < 0xE0) return continues(second) ? 2 : 0;
  const unsigned char least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  const unsigned char most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  if (second < least || second > most || !continues(byte_at(text, 2))) return 0;
  if (first < 0xF0) return 3;
  return continues(byte_at(text, 3)) ? 4 : 0;
}

std::string printable(std::string_view text, std::size_t most_bytes) {
  std::string all;
  std::size_t fits = 0;  // bytes of `all` that leave space for the dots
  while (!text.empty()) {
    const Shown next = first_shown(text);
    if (all.size() + next.text.size() > most_bytes)
      return all.substr(0, fits) + std::string(cut_off.substr(0, most_bytes));
    all += next.text;
    if (all.size() + cut_off.size() <= most_bytes) fits = all.size();
    text.remove_prefix(next.bytes);
  }
  return all;
}

std::string valid_text(std::string_view text, std::string_view kept) {
  std::string valid;
  valid.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0)
      valid += replacement_character;
    else if (begins_with_control(text) && kept.find(text.front()) == std::string_view::npos)
      valid += ' ';
    else
      valid += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return valid;
}

std::string printable_message(std::string_view text) {
  constexpr std::size_t most_bytes = message_head_bytes + message_tail_bytes;
  if (text.size() <= most_bytes) {
    std::string all = printable(text, 4 * most_bytes);
    if (all.size() <= most_bytes) return all;
  }
  return printable(text, message_head_bytes) + " " + printable_tail(text, message_tail_bytes);
}

}  // namespace assay::core
