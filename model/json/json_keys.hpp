// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A JSON object read key by key: whatever is missing or of the wrong kind ends with one line that names file
// and key.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::model {

class JsonKeys {
 public:
  /// `where` opens every message: a file, and the path inside it, as in "system.json: networks[0].". Throws a
  /// usage Error unless `value` is an object; it must outlive this.
  JsonKeys(const nlohmann::json& value, std::string where);

  const nlohmann::json& at(std::string_view key) const;
  JsonKeys object(std::string_view key) const { return {at(key), where_ + std::string(key) + "."}; }
  const nlohmann::json& list(std::string_view key) const;
  /// A list of objects.
  std::vector<JsonKeys> objects(std::string_view key) const;
  /// All that is in it, where names are the user's own.
  std::vector<std::string> names() const;
  bool has(std::string_view key) const { return value_.contains(key); }
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

  /// `got` is shown after the expectation; null leaves it out.
  [[noreturn]] void fail(std::string_view key, std::string_view expected,
                         const nlohmann::json& got = {}) const;

 private:
  const nlohmann::json& value_;
  std::string where_;
};

/// A number that is not NaN, infinite, or a word.
bool is_finite_number(const nlohmann::json& value);

}  // namespace assay::model
