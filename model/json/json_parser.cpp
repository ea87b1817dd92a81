// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/json/json_parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <span>

#include "harness/core/printable.hpp"
#include "model/json/json_number.hpp"

namespace assay::model {
namespace {

constexpr int deepest_level = 64;
constexpr std::size_t longest_text = std::size_t{1} << 31U;

constexpr std::uint64_t each_byte(std::uint64_t byte) { return 0x0101010101010101 * byte; }

/// Of eight bytes those that have no place in a string without escapes, or need a closer look: quotes,
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

std::optional<JsonFault> JsonParser::parse() {
  if (end_ - begin_ > static_cast<std::ptrdiff_t>(longest_text)) return JsonFault{0, "is too long", {}};
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (std::string_view(begin_, end_).starts_with(byte_order_mark)) at_ += byte_order_mark.size();
  skip_space();
  if (value(add_node(), 0)) {
    skip_space();
    if (at_ != end_) fail("the end");
  }
  return fault_;
}

std::uint32_t JsonParser::add_node() {
  nodes_.emplace_back();
  return static_cast<std::uint32_t>(nodes_.size() - 1);
}

void JsonParser::skip_space() {
  while (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t') ++at_;
}

bool JsonParser::fail(std::string_view expected) {
  const std::string got =
      at_ == end_
          ? "the end"
          : fmt::format("'{}'",
                        core::printable({at_, std::max<std::size_t>(1, core::utf8_length({at_, end_}))}, 8));
  fault_ = {static_cast<std::size_t>(at_ - begin_), fmt::format("expected {}, got {}", expected, got), {}};
  return false;
}

bool JsonParser::value(std::uint32_t node, int depth) {
  const auto finish = [&](bool taken) {
    nodes_[node].next = static_cast<std::uint32_t>(nodes_.size());
    return taken;
  };
  const auto constant = [&](JsonKind kind, std::string_view text) {
    nodes_[node].kind = kind;
    nodes_[node].boolean = *at_ == 't';
    return finish(word(text));
  };
  switch (*at_) {
    case '{':
      return finish(members(node, depth + 1) && once(node));
    case '[':
      return finish(elements(node, depth + 1));
    case '"': {
      Quoted found;
      if (!quoted(found)) return false;
      JsonNode& of = nodes_[node];
      of.kind = JsonKind::text, of.text = found.slice, of.text_decoded = found.decoded;
      return finish(true);
    }
    case 't':
      return constant(JsonKind::boolean, "true");
    case 'f':
      return constant(JsonKind::boolean, "false");
    case 'n':
      return constant(JsonKind::null, "null");
    default:
      return finish(number(nodes_[node]));
  }
}

bool JsonParser::members(std::uint32_t node, int depth) {
  if (depth > deepest_level)
    return fail(fmt::format("at most {} levels of lists and objects", deepest_level));
  nodes_[node].kind = JsonKind::object;
  ++at_;
  skip_space();
  if (*at_ == '}') return ++at_, true;
  for (;; ++at_) {
    skip_space();
    const std::uint32_t member = add_node();
    ++nodes_[node].count;
    if (!key(nodes_[member]) || !value(member, depth)) return false;
    skip_space();
    if (*at_ == ',') continue;
    if (*at_ == '}') return ++at_, true;
    return fail("',' or '}'");
  }
}

bool JsonParser::elements(std::uint32_t node, int depth) {
  if (depth > deepest_level)
    return fail(fmt::format("at most {} levels of lists and objects", deepest_level));
  nodes_[node].kind = JsonKind::list;
  ++at_;
  skip_space();
  if (*at_ == ']') return ++at_, true;
  for (;; ++at_) {
    skip_space();
    ++nodes_[node].count;
    if (!value(add_node(), depth)) return false;
    skip_space();
    if (*at_ == ',') continue;
    if (*at_ == ']') return ++at_, true;
    return fail("',' or ']'");
  }
}

bool JsonParser::key(JsonNode& of) {
  if (*at_ != '"') return fail("a key in quotes");
  Quoted found;
  if (!quoted(found)) return false;
  of.key = found.slice, of.key_decoded = found.decoded;
  of.key_mark =
      json_mark({(found.decoded ? decoded_.data() : begin_) + found.slice.begin, found.slice.length});
  skip_space();
  if (*at_ != ':') return fail("':'");
  ++at_;
  skip_space();
  return true;
}

bool JsonParser::word(std::string_view expected) {
  for (const char letter : expected) {
    if (*at_ != letter) return fail(expected);
    ++at_;
  }
  return true;
}

bool JsonParser::number(JsonNode& of) {
  if (*at_ != '-' && (*at_ < '0' || *at_ > '9')) return fail("a value");
  const char* const begin = at_;
  switch (read_number(at_, of)) {
    case NumberFault::none:
      return true;
    case NumberFault::no_number:
      return fail("a digit or the end of the number");
    case NumberFault::too_large:
      fault_ = {static_cast<std::size_t>(begin - begin_), "the number is larger than a double can be", {}};
  }
  return false;
}

bool JsonParser::quoted(Quoted& found) {
  const char* const begin = ++at_;
  at_ = first_special(at_);
  if (*at_ != '"') return quoted_with_escapes(begin, found);
  found.slice = {static_cast<std::uint32_t>(begin - begin_), static_cast<std::uint32_t>(at_ - begin)};
  ++at_;
  return true;
}

/// A string goes on at `at_`, and is `begin` up to there.
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
  if (length == 1) return fail("an escape in the place of a control character");
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

std::string_view JsonParser::key_of(std::uint32_t node) const {
  const JsonNode& of = nodes_[node];
  return {(of.key_decoded ? decoded_.data() : begin_) + of.key.begin, of.key.length};
}

bool JsonParser::twice(std::uint32_t first, std::uint32_t second) {
  if (key_of(first) != key_of(second)) return false;
  fault_ = {0, {}, std::max(first, second)};
  return true;
}

bool JsonParser::once(std::uint32_t object) {
  const std::size_t count = nodes_[object].count;
  if (count > few_json_members) return once_among_many(object);
  std::array<std::uint32_t, few_json_members> marks, places;
  std::uint32_t at = object + 1;
  for (std::size_t i = 0; i < count; at = nodes_[at].next, ++i) {
    marks[i] = nodes_[at].key_mark, places[i] = at;
    for (std::size_t j = 0; j < i; ++j)
      if (marks[j] == marks[i] && twice(places[j], at)) return false;
  }
  return true;
}

bool JsonParser::once_among_many(std::uint32_t object) {
  const std::size_t begin = sorted_.size();
  nodes_[object].sorted = static_cast<std::uint32_t>(begin);
  for (std::uint32_t at = object + 1; sorted_.size() - begin < nodes_[object].count; at = nodes_[at].next)
    sorted_.push_back(at);
  const auto own = std::span(sorted_).subspan(begin);
  std::ranges::sort(own, {}, [&](std::uint32_t of) { return key_of(of); });
  for (std::size_t i = 1; i < own.size(); ++i)
    if (twice(own[i - 1], own[i])) return false;
  return true;
}

}  // namespace assay::model
