// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Reads compact JSON whose keys stand in a known order. The first thing that is not as expected makes all
// that follows empty, and good() false.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace assay::results {

class JsonCursor {
 public:
  explicit JsonCursor(std::string_view text) : text_(text) {}

  /// Takes exactly this text.
  JsonCursor& take(std::string_view expected);
  /// The same where it is there; false where it is not, which is no fault.
  bool has(std::string_view expected);
  /// Takes "name": and the comma before it, unless it is the first of its object.
  JsonCursor& key(std::string_view name);
  bool has_key(std::string_view name);

  /// Printable ASCII without an escape: anything else is left to a reader that knows all of JSON.
  std::string_view text();
  std::int64_t integer();
  /// A number, or null: NaN.
  double number();
  bool boolean();
  void numbers(std::vector<double>& values);
  /// An object of numbers and texts, as it stands.
  std::string_view fields();

  bool good() const { return good_; }
  bool at_end() const { return good_ && at_ == text_.size(); }
  std::size_t place() const { return at_; }

 private:
  void fail() { good_ = false; }
  /// The characters of a number that JSON allows; empty for anything else.
  std::string_view number_text();
  void scalar();

  std::string_view text_;
  std::size_t at_ = 0;
  bool good_ = true;
};

}  // namespace assay::results
