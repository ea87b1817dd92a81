// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/record/json/json_cursor.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <limits>

namespace assay::results {
namespace {

/// Bytes that mean themselves within a text.
constexpr std::array<bool, 256> plain = [] {
  std::array<bool, 256> table{};
  for (std::size_t byte = 0x20; byte < 0x7f; ++byte) table.at(byte) = byte != '"' && byte != '\\';
  return table;
}();

constexpr std::uint64_t of_each_byte(std::uint64_t byte) { return byte * 0x0101010101010101U; }

/// The highest bit of each byte that is below `limit`, which is at most 128. A byte above one of these may be
/// marked too: the lowest mark is right.
constexpr std::uint64_t bytes_below(std::uint64_t bytes, std::uint64_t limit) {
  return (bytes - of_each_byte(limit)) & ~bytes & of_each_byte(0x80);
}

/// How many of the eight bytes that begin here are plain, up to the first that is not.
std::size_t leading_plain(const char* text) {
  static_assert(std::endian::native == std::endian::little);
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, text, sizeof bytes);
  const std::uint64_t others =
      (bytes & of_each_byte(0x80)) | bytes_below(bytes, 0x20) | bytes_below(bytes ^ of_each_byte('"'), 1) |
      bytes_below(bytes ^ of_each_byte('\\'), 1) | bytes_below(bytes ^ of_each_byte(0x7f), 1);
  return others == 0 ? sizeof bytes : static_cast<std::size_t>(std::countr_zero(others)) / 8;
}

bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

/// from_chars() takes some texts that are not numbers of JSON: "01", "1.", "1.e5", ".5", "inf".
bool is_json_number(std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  if (at != end && *at == '-') ++at;
  if (at == end || !is_digit(*at)) return false;
  const bool is_zero = *at++ == '0';
  if (is_zero && at != end && is_digit(*at)) return false;
  while (at != end && is_digit(*at)) ++at;
  return at == end || *at != '.' || (at + 1 != end && is_digit(at[1]));
}

bool goes_on_as_fraction(std::string_view text, std::size_t at) {
  return at < text.size() && std::string_view(".eE").find(text[at]) != std::string_view::npos;
}

}  // namespace

bool JsonCursor::has(std::string_view expected) {
  if (!good_ || text_.compare(at_, expected.size(), expected) != 0) return false;
  at_ += expected.size();
  return true;
}

JsonCursor& JsonCursor::take(std::string_view expected) {
  if (!has(expected)) refuse();
  return *this;
}

std::string_view JsonCursor::text() {
  take('"');
  if (!good_) return {};
  const std::size_t begin = at_;
  std::size_t end = at_;
  for (std::size_t some = 8; some == 8 && end + 8 <= text_.size(); end += some)
    some = leading_plain(text_.data() + end);
  while (end < text_.size() && plain[static_cast<unsigned char>(text_[end])]) ++end;
  at_ = end;
  take('"');
  return good_ ? text_.substr(begin, end - begin) : std::string_view();
}

/// Takes the longest number that begins here. The next call looks at what follows it. Of "-0" a reader of all
/// JSON makes the whole number 0, which is written otherwise: that is left to it.
template <class Value>
bool JsonCursor::parse(Value& value) {
  if (!good_) return false;
  const char* begin = text_.data() + at_;
  const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
  const std::string_view number(begin, static_cast<std::size_t>(end - begin));
  if (error != std::errc() || !is_json_number(number)) return false;
  if (number == "-0" && !goes_on_as_fraction(text_, at_ + number.size())) return false;
  at_ += number.size();
  return true;
}

std::int64_t JsonCursor::integer() {
  std::int64_t value = 0;
  if (!parse(value)) refuse();
  return value;
}

double JsonCursor::number() {
  double value = std::numeric_limits<double>::quiet_NaN();
  if (!parse(value) && !has("null")) refuse();
  return value;
}

void JsonCursor::pass_number() {
  if (!good_ || has("null")) return;
  std::size_t end = at_ + (text_.substr(at_).starts_with('-') ? 1 : 0);
  const std::size_t first = end;
  const auto pass_digits = [&] {
    while (end < text_.size() && is_digit(text_[end])) ++end;
  };
  pass_digits();
  const bool is_whole_part = end > first && (text_[first] != '0' || end - first == 1);
  if (is_whole_part && end < text_.size() && text_[end] == '.') {
    const std::size_t point = end++;
    pass_digits();
    if (end == point + 1) return refuse();
  }
  // An exponent may lead beyond what a number holds: only its value shows that. So may 309 digits.
  constexpr std::size_t surely_held = 300;
  const bool has_exponent = end < text_.size() && (text_[end] == 'e' || text_[end] == 'E');
  const bool is_minus_zero = end == first + 1 && text_[first] == '0' && first != at_;
  if (!is_whole_part || has_exponent || is_minus_zero || end - first > surely_held)
    return static_cast<void>(number());
  at_ = end;
}

bool JsonCursor::boolean() {
  if (has("true")) return true;
  take("false");
  return false;
}

/// A whole number that 64 bits do not hold is left to the reader that knows all of JSON.
void JsonCursor::pass_scalar() {
  if (has("null")) return;
  if (good_ && at_ < text_.size() && text_[at_] == '"') {
    text();
    return;
  }
  const std::size_t begin = at_;
  std::int64_t whole = 0;
  if (!parse(whole)) return refuse();
  if (!goes_on_as_fraction(text_, at_)) return;
  at_ = begin;
  pass_number();
}

JsonCursor::Scalar JsonCursor::scalar() {
  if (good_ && at_ < text_.size() && text_[at_] == '"') return text();
  const std::size_t begin = at_;
  std::int64_t whole = 0;
  if (!parse(whole)) {
    if (!has("null")) refuse();
    return std::numeric_limits<double>::quiet_NaN();
  }
  if (!goes_on_as_fraction(text_, at_)) return whole;
  at_ = begin;
  return number();
}

std::uint64_t JsonCursor::mark_of(std::string_view name) {
  if (name.empty()) return 1;
  const auto letter = [&](std::size_t at) { return std::size_t{static_cast<unsigned char>(name[at])}; };
  const std::size_t sum =
      11 * name.size() + 5 * letter(0) + 3 * letter(name.size() / 2) + 7 * letter(name.size() - 1);
  return std::uint64_t{1} << (sum % 64);
}

/// No text has an escape or a quote: what stands between quotes and before a colon is a name.
bool JsonCursor::is_repeated(std::size_t object, std::string_view name) const {
  const auto before = static_cast<std::size_t>(name.data() - text_.data()) - 1;
  const std::string_view earlier = text_.substr(object, before - object);
  for (std::size_t at = earlier.find(name, 1); at != std::string_view::npos; at = earlier.find(name, at + 1))
    if (earlier[at - 1] == '"' && earlier.substr(at + name.size()).starts_with("\":")) return true;
  return false;
}

std::string_view JsonCursor::fields() {
  const std::size_t begin = at_;
  walk_fields([this](std::string_view) { pass_scalar(); });
  return good_ ? text_.substr(begin, at_ - begin) : std::string_view();
}

}  // namespace assay::results
