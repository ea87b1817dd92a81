// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Reads compact JSON whose keys are in a known order. The first thing that is not as expected makes all
// that follows empty, and good() false.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <variant>

namespace assay::results {

class JsonCursor {
 public:
  explicit JsonCursor(std::string_view text) : text_(text) {}

  /// Takes exactly this text.
  JsonCursor& take(std::string_view expected);
  JsonCursor& take(char expected) {
    if (!has(expected)) refuse();
    return *this;
  }
  /// Takes the text where it is there; false where it is not, which is not a fault.
  bool has(std::string_view expected);
  bool has(char expected) {
    const bool there = good_ && at_ < text_.size() && text_[at_] == expected;
    if (there) ++at_;
    return there;
  }
  /// Takes "name": and the comma before it, unless it is the first of its object.
  template <std::size_t size>
  JsonCursor& key(const char (&name)[size]) {
    if (!has_key(name)) refuse();
    return *this;
  }
  template <std::size_t size>
  bool has_key(const char (&name)[size]);

  /// Printable ASCII without an escape: anything else is left to a reader that knows all of JSON.
  std::string_view text();
  std::int64_t integer();
  /// A number, or null: NaN.
  double number();
  /// Takes a number whose value is not needed.
  void pass_number();
  bool boolean();
  /// Takes a list of numbers.
  template <class Numbers>
  void numbers(Numbers& values);
  /// A whole number, another number or null as NaN, or a text.
  using Scalar = std::variant<std::int64_t, double, std::string_view>;
  /// The text of an object of scalars, unchanged. No name is there twice.
  std::string_view fields();
  /// Takes the fields of such an object in turn: `take_field` is called with a name and a Scalar.
  template <class Take>
  void each_field(const Take& take_field) {
    walk_fields([&](std::string_view name) { take_field(name, scalar()); });
  }
  /// The caller refuses what it has read.
  void refuse() { good_ = false; }

  bool good() const { return good_; }
  bool at_end() const { return good_ && at_ == text_.size(); }
  std::size_t place() const { return at_; }

 private:
  template <class Value>
  bool parse(Value& value);
  Scalar scalar();
  void pass_scalar();
  /// `take_value` is called with each name, where its value begins.
  template <class Take>
  void walk_fields(const Take& take_value);
  /// One bit, which most other names do not have: they need no search.
  static std::uint64_t mark_of(std::string_view name);
  bool is_repeated(std::size_t object, std::string_view name) const;

  std::string_view text_;
  std::size_t at_ = 0;
  bool good_ = true;
};

template <class Numbers>
void JsonCursor::numbers(Numbers& values) {
  constexpr std::size_t usual_samples = 64;
  take('[');
  if (!good_ || has(']')) return;
  values.reserve(usual_samples);
  do {
    values.push_back(number());
  } while (has(','));
  take(']');
}

template <class Take>
void JsonCursor::walk_fields(const Take& take_value) {
  const std::size_t begin = at_;
  take('{');
  if (!good_ || has('}')) return;
  std::uint64_t marks = 0;  // of the names so far
  do {
    const std::string_view name = text();
    const std::uint64_t mark = mark_of(name);
    if (good_ && (marks & mark) != 0 && is_repeated(begin, name)) refuse();
    marks |= mark;
    take(':');
    take_value(name);
  } while (has(','));
  take('}');
}

/// Here, for a name whose length is known where this is compiled is compared in an instruction or two.
template <std::size_t size>
bool JsonCursor::has_key(const char (&name)[size]) {
  constexpr std::size_t letters = size - 1;
  const bool first = at_ > 0 && text_[at_ - 1] == '{';
  const std::size_t quote = at_ + (first ? 0 : 1), end = quote + letters + 3;
  if (!good_ || end > text_.size()) return false;
  const char* ahead = text_.data() + quote;
  if ((!first && text_[at_] != ',') || ahead[0] != '"' || std::memcmp(ahead + 1, name, letters) != 0 ||
      ahead[letters + 1] != '"' || ahead[letters + 2] != ':')
    return false;
  at_ = end;
  return true;
}

}  // namespace assay::results
