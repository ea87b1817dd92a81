// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Typed access to the keys of a record as JSON. Every complaint is one line that names the key and what was
// expected there. Private to results/record.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/record/record.hpp"

namespace assay::results {

class JsonReader {
 public:
  using Json = nlohmann::ordered_json;

  /// `path` prefixes keys in messages.
  JsonReader(const Json& object, std::string path);

  bool has(const char* key) const { return object_.contains(key); }
  const Json& at(const char* key) const;
  std::string text(const char* key) const;
  std::int64_t integer(const char* key) const;
  /// Not below zero.
  std::int64_t count(const char* key) const;
  /// Not empty.
  std::string identity(const char* key) const;
  /// Null is NaN, unknown.
  double number(const char* key) const;
  /// A number that is not below zero.
  double amount(const char* key) const;
  double share(const char* key) const;
  bool boolean(const char* key) const;
  std::optional<double> optional_number(const char* key) const;
  /// One of the words of an enumeration.
  template <class Enum>
  Enum word(const char* key, std::optional<Enum> (*of_word)(std::string_view), const char* expected) const {
    const std::optional<Enum> value = of_word(text(key));
    if (!value) refuse(name(key), expected, at(key));
    return *value;
  }
  JsonReader object(const char* key) const { return JsonReader(at(key), name(key)); }
  const Json& array(const char* key) const;
  std::vector<double> numbers(const char* key) const;
  Fields fields(const char* key) const;

  /// The key with its path.
  std::string name(const char* key) const { return path_.empty() ? key : path_ + "." + key; }
  [[noreturn]] static void refuse(const std::string& key, const std::string& expected, const Json& found);

 private:
  double as_number(const Json& value, const char* key) const;
  Scalar scalar(const char* key, const Json& value) const;

  const Json& object_;
  std::string path_;
};

}  // namespace assay::results
