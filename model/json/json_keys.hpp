// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A JSON object read key by key: whatever is missing or of the wrong kind ends with one line that names file
// and key.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/json/json_document.hpp"

namespace assay::model {

class JsonKeys {
 public:
  /// Throws a usage Error unless `value` is an object; its document must outlive this.
  explicit JsonKeys(const JsonValue& value);
  /// Reads a tree; `where` opens every message: a file, and the path inside it, as in
  /// "system.json: networks[0].".
  JsonKeys(const nlohmann::json& tree, std::string where);

  JsonValue at(std::string_view key) const;
  JsonKeys object(std::string_view key) const { return {at(key), owned_}; }
  JsonValue list(std::string_view key) const;
  /// A list of objects.
  std::vector<JsonKeys> objects(std::string_view key) const;
  /// All that is in it, sorted, where names are the user's own.
  std::vector<std::string> names() const;
  bool has(std::string_view key) const { return value_.find(key).found(); }
  /// 1 to 10^9: what keeps every product of three inside the range of a double's whole numbers or 64 bits.
  std::int64_t count(std::string_view key) const { return whole(key, 1); }
  std::int64_t whole(std::string_view key, std::int64_t least) const;
  /// A finite number, at least 0.
  double number(std::string_view key) const;
  double above_zero(std::string_view key) const;
  bool flag(std::string_view key) const;
  std::string word(std::string_view key) const;
  /// The place of the word in `names`.
  std::size_t one_of(std::string_view key, std::span<const std::string_view> names) const;
  /// Refuses any other key.
  void only(std::span<const std::string_view> names) const;

  /// `got` is shown after the expectation.
  [[noreturn]] void fail(std::string_view key, std::string_view expected, const JsonValue& got) const;
  [[noreturn]] void fail(std::string_view key, std::string_view expected) const;

 private:
  JsonKeys(const JsonValue& value, std::shared_ptr<const JsonDocument> owned);
  std::string place_of(std::string_view key) const;

  std::shared_ptr<const JsonDocument> owned_;  // of a tree
  JsonValue value_;
};

/// A number that is not NaN, infinite, or a word.
bool is_finite_number(const JsonValue& value);

}  // namespace assay::model
