// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A config.json read key by key, which remembers the keys that were asked for: null counts as absent.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/json/json_keys.hpp"

namespace assay::model {

class HuggingFaceKeys {
 public:
  explicit HuggingFaceKeys(const JsonValue& object) : object_(object), keys_(object) {}

  bool has(std::string_view key) const;
  std::int64_t count(std::string_view key) const;
  /// `usual` where the key is absent; 0 and false are read as 0.
  std::int64_t count_or(std::string_view key, std::int64_t usual) const;
  /// 1 or more; `usual` where the key is absent, which is an error without one: 0.
  std::int64_t divisor(std::string_view key, std::int64_t usual) const;
  bool flag_or(std::string_view key, bool usual) const;
  std::string word(std::string_view key) const;
  /// Empty where the key is absent.
  std::vector<std::string> words(std::string_view key) const;
  std::vector<std::int64_t> counts(std::string_view key) const;
  JsonValue part(std::string_view key) const;
  [[noreturn]] void fail(std::string_view key, std::string_view expected) const;

  /// "not used, may change the shape: attention_bias"; empty where all keys were asked for, or say nothing
  /// about the shape.
  std::string unused() const;

 private:
  JsonValue object_;
  JsonKeys keys_;
  mutable std::set<std::string, std::less<>> asked_;
};

}  // namespace assay::model
