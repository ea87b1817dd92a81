// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Reads compact JSON whose keys are in a known order. The first thing that is not as expected makes all
// that follows empty, and good() false.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory_resource>
#include <string_view>
#include <vector>

namespace assay::results {

class JsonCursor {
 public:
  explicit JsonCursor(std::string_view text) : text_(text) {}

  /// Takes exactly this text.
  JsonCursor& take(std::string_view expected);
  JsonCursor& take(char expected) {
    if (!has(expected)) fail();
    return *this;
  }
  /// The same where it is there; false where it is not, which is not a fault.
  bool has(std::string_view expected);
  bool has(char expected) {
    const bool there = good_ && at_ < text_.size() && text_[at_] == expected;
    if (there) ++at_;
    return there;
  }
  /// Takes "name": and the comma before it, unless it is the first of its object.
  template <std::size_t size>
  JsonCursor& key(const char (&name)[size]) {
    if (!has_key(name)) fail();
    return *this;
  }
  template <std::size_t size>
  bool has_key(const char (&name)[size]);

  /// Printable ASCII without an escape: anything else is left to a reader that knows all of JSON.
  std::string_view text();
  std::int64_t integer();
  /// A number, or null: NaN.
  double number();
  /// The same, of which no one needs the value.
  void pass_number();
  bool boolean();
  void numbers(std::pmr::vector<double>& values);
  /// An object of numbers and texts, unchanged.
  std::string_view fields();

  bool good() const { return good_; }
  bool at_end() const { return good_ && at_ == text_.size(); }
  std::size_t place() const { return at_; }

 private:
  void fail() { good_ = false; }
  template <class Value>
  bool parse(Value& value);
  void scalar();

  std::string_view text_;
  std::size_t at_ = 0;
  bool good_ = true;
};

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
