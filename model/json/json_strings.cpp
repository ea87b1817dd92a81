// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The parser's part for strings: one without escapes stays where it is, another is decoded elsewhere.
#include <bit>
#include <cstring>

#include "harness/core/printable.hpp"
#include "model/json/json_parser.hpp"

namespace assay::model {
namespace {

constexpr std::uint64_t each_byte(std::uint64_t byte) { return 0x0101010101010101 * byte; }

/// Marks those of eight bytes that have no place in a string without escapes, or need a closer look: quotes,
/// backslashes, control characters, and all beyond ASCII. The first one's highest bit is set, and none
/// before.
std::uint64_t special_bytes(std::uint64_t word) {
  static_assert(std::endian::native == std::endian::little);
  const auto zero_in = [](std::uint64_t of) { return (of - each_byte(1)) & ~of; };
  const std::uint64_t control = (word - each_byte(0x20)) & ~word;
  return (zero_in(word ^ each_byte('"')) | zero_in(word ^ each_byte('\\')) | control | word) &
         each_byte(0x80);
}

const char* first_special(const char* at) {
  for (;; at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    if (const std::uint64_t special = special_bytes(word)) return at + std::countr_zero(special) / 8;
  }
}

void append_utf8(std::string& text, std::uint32_t point) {
  const auto add = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  const auto add_rest = [&](std::uint32_t shift) { add(0x80U | (point >> shift & 0x3FU)); };
  if (point < 0x80) {
    add(point);
  } else if (point < 0x800) {
    add(0xC0U | point >> 6U), add_rest(0);
  } else if (point < 0x10000) {
    add(0xE0U | point >> 12U), add_rest(6), add_rest(0);
  } else {
    add(0xF0U | point >> 18U), add_rest(12), add_rest(6), add_rest(0);
  }
}

}  // namespace

bool JsonParser::quoted(Quoted& found) {
  const char* const begin = ++at_;
  at_ = first_special(at_);
  if (*at_ != '"') return quoted_with_escapes(begin, found);
  found.slice = {static_cast<std::uint32_t>(begin - begin_), static_cast<std::uint32_t>(at_ - begin)};
  ++at_;
  return true;
}

/// A string continues at `at_`, and is `begin` up to there.
bool JsonParser::quoted_with_escapes(const char* begin, Quoted& found) {
  const std::size_t decoded_begin = decoded_.size();
  for (;;) {
    decoded_.append(begin, at_);
    if (*at_ == '"') break;
    if (!(*at_ == '\\' ? escape() : other_character())) return false;
    begin = at_;
    at_ = first_special(at_);
  }
  ++at_;
  found.slice = {static_cast<std::uint32_t>(decoded_begin),
                 static_cast<std::uint32_t>(decoded_.size() - decoded_begin)};
  found.decoded = true;
  return true;
}

bool JsonParser::other_character() {
  if (at_ == end_) return fail("the closing quote of a string");
  const std::size_t length = core::utf8_length({at_, end_});
  if (length == 0) return fail("valid UTF-8");
  if (length == 1) return fail("an escape instead of a control character");
  decoded_.append(at_, length);
  at_ += length;
  return true;
}

bool JsonParser::escape() {
  constexpr std::string_view letters = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
  ++at_;
  if (const std::size_t which = letters.find(*at_); which != std::string_view::npos && at_ != end_) {
    decoded_ += meant[which];
    ++at_;
    return true;
  }
  if (*at_ != 'u') return fail("one of \"\\/bfnrtu behind a backslash");
  std::uint32_t point = 0, low = 0;
  const char* const begin = at_;
  if (!code_unit(point)) return false;
  if (point >= 0xD800 && point < 0xDC00) {
    if (*at_ != '\\' || at_[1] != 'u') return fail("the second half of a surrogate pair, \\uDC00 to \\uDFFF");
    ++at_;
    if (!code_unit(low)) return false;
    point = 0x10000 + ((point - 0xD800) << 10U) + (low - 0xDC00);
  }
  if ((low == 0 && point >= 0xDC00 && point < 0xE000) || (low != 0 && (low < 0xDC00 || low > 0xDFFF))) {
    at_ = begin;
    return fail("a character or a surrogate pair behind \\");
  }
  append_utf8(decoded_, point);
  return true;
}

/// "u00e9": four hexadecimal digits.
bool JsonParser::code_unit(std::uint32_t& unit) {
  ++at_;
  for (int digit = 0; digit < 4; ++digit, ++at_) {
    constexpr std::string_view digits = "0123456789abcdef";
    const char letter = *at_ >= 'A' && *at_ <= 'F' ? static_cast<char>(*at_ - 'A' + 'a') : *at_;
    const std::size_t value = digits.find(letter);
    if (value == std::string_view::npos) return fail("four hexadecimal digits");
    unit = unit << 4U | static_cast<std::uint32_t>(value);
  }
  return true;
}

}  // namespace assay::model
