// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/json_cursor.hpp"

#include <charconv>
#include <limits>

namespace assay::results {
namespace {

bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

bool is_part_of_number(char byte) {
  return is_digit(byte) || byte == '.' || byte == '-' || byte == '+' || byte == 'e' || byte == 'E';
}

/// from_chars() takes some texts that are no number of JSON: "01", "1.", "1.e5", ".5", "inf".
bool is_json_number(std::string_view text) {
  const std::size_t first = text.starts_with('-') ? 1 : 0;
  if (first >= text.size() || !is_digit(text[first]) || !is_digit(text.back())) return false;
  if (text[first] == '0' && first + 1 < text.size() && is_digit(text[first + 1])) return false;
  const std::size_t point = text.find('.');
  return point == std::string_view::npos || is_digit(text[point + 1]);
}

template <class Value>
bool parse(std::string_view text, Value& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
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

bool JsonCursor::has_key(std::string_view name) {
  const std::size_t comma = at_ > 0 && text_[at_ - 1] == '{' ? 0 : 1, size = name.size() + comma + 3;
  if (!good_ || text_.size() - at_ < size) return false;
  const std::string_view ahead = text_.substr(at_, size);
  if ((comma == 1 && ahead[0] != ',') || ahead[comma] != '"' || !ahead.ends_with("\":") ||
      ahead.substr(comma + 1, name.size()) != name)
    return false;
  at_ += size;
  return true;
}

JsonCursor& JsonCursor::key(std::string_view name) {
  if (!has_key(name)) fail();
  return *this;
}

std::string_view JsonCursor::text() {
  take("\"");
  for (std::size_t end = at_; good_ && end < text_.size(); ++end) {
    const auto byte = static_cast<unsigned char>(text_[end]);
    if (byte == '"') {
      const std::string_view value = text_.substr(at_, end - at_);
      at_ = end + 1;
      return value;
    }
    if (byte == '\\' || byte < 0x20 || byte >= 0x7f) break;
  }
  fail();
  return {};
}

std::string_view JsonCursor::number_text() {
  if (!good_) return {};
  std::size_t end = at_;
  while (end < text_.size() && is_part_of_number(text_[end])) ++end;
  const std::string_view number = text_.substr(at_, end - at_);
  if (!is_json_number(number)) fail();
  at_ = end;
  return good_ ? number : std::string_view();
}

std::int64_t JsonCursor::integer() {
  std::int64_t value = 0;
  if (!parse(number_text(), value)) fail();
  return value;
}

double JsonCursor::number() {
  double value = std::numeric_limits<double>::quiet_NaN();
  if (!has("null") && !parse(number_text(), value)) fail();
  return value;
}

bool JsonCursor::boolean() {
  if (has("true")) return true;
  take("false");
  return false;
}

void JsonCursor::numbers(std::vector<double>& values) {
  take("[");
  if (has("]")) return;
  values.push_back(number());
  while (has(",")) values.push_back(number());
  take("]");
}

void JsonCursor::scalar() {
  if (has("null")) return;
  if (good_ && at_ < text_.size() && text_[at_] == '"') {
    text();
    return;
  }
  const std::string_view number = number_text();
  const bool whole = number.find_first_of(".eE") == std::string_view::npos;
  std::int64_t integer = 0;
  double real = 0;
  if (whole ? !parse(number, integer) : !parse(number, real)) fail();
}

std::string_view JsonCursor::fields() {
  const std::size_t begin = at_;
  take("{");
  if (!has("}")) {
    do {
      text();
      take(":");
      scalar();
    } while (has(","));
    take("}");
  }
  return good_ ? text_.substr(begin, at_ - begin) : std::string_view();
}

}  // namespace assay::results
