// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/record/json_cursor.hpp"

#include <array>
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

constexpr std::size_t usual_samples = 64;

bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

/// from_chars() takes some texts that are not numbers of JSON: "01", "1.", "1.e5", ".5", "inf".
bool is_json_number(std::string_view text) {
  const std::size_t first = text.starts_with('-') ? 1 : 0;
  std::size_t end = first;
  while (end < text.size() && is_digit(text[end])) ++end;
  if (end == first || (text[first] == '0' && end - first > 1)) return false;
  return end == text.size() || text[end] != '.' || (end + 1 < text.size() && is_digit(text[end + 1]));
}

}  // namespace

bool JsonCursor::has(std::string_view expected) {
  if (!good_ || text_.compare(at_, expected.size(), expected) != 0) return false;
  at_ += expected.size();
  return true;
}

JsonCursor& JsonCursor::take(std::string_view expected) {
  if (!has(expected)) fail();
  return *this;
}

std::string_view JsonCursor::text() {
  take('"');
  if (!good_) return {};
  const std::size_t begin = at_;
  std::size_t end = at_;
  while (end < text_.size() && plain[static_cast<unsigned char>(text_[end])]) ++end;
  at_ = end;
  take('"');
  return good_ ? text_.substr(begin, end - begin) : std::string_view();
}

/// Takes the longest number that begins here. The next call looks at what follows it.
template <class Value>
bool JsonCursor::parse(Value& value) {
  if (!good_) return false;
  const char* begin = text_.data() + at_;
  const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
  if (error != std::errc() || !is_json_number({begin, end})) return false;
  at_ += static_cast<std::size_t>(end - begin);
  return true;
}

std::int64_t JsonCursor::integer() {
  std::int64_t value = 0;
  if (!parse(value)) fail();
  return value;
}

double JsonCursor::number() {
  double value = std::numeric_limits<double>::quiet_NaN();
  if (!parse(value) && !has("null")) fail();
  return value;
}

bool JsonCursor::boolean() {
  if (has("true")) return true;
  take("false");
  return false;
}

void JsonCursor::numbers(std::pmr::vector<double>& values) {
  take('[');
  if (!good_ || has(']')) return;
  values.reserve(usual_samples);
  do {
    values.push_back(number());
  } while (has(','));
  take(']');
}

/// A whole number that 64 bits do not hold is left to the reader that knows all of JSON.
void JsonCursor::scalar() {
  if (has("null")) return;
  if (good_ && at_ < text_.size() && text_[at_] == '"') {
    text();
    return;
  }
  const std::size_t begin = at_;
  std::int64_t whole = 0;
  if (!parse(whole)) return fail();
  if (at_ == text_.size() || std::string_view(".eE").find(text_[at_]) == std::string_view::npos) return;
  at_ = begin;
  number();
}

std::string_view JsonCursor::fields() {
  const std::size_t begin = at_;
  take('{');
  if (!has('}')) {
    do {
      text();
      take(':');
      scalar();
    } while (has(','));
    take('}');
  }
  return good_ ? text_.substr(begin, at_ - begin) : std::string_view();
}

}  // namespace assay::results
