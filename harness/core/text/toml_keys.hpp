// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The keys of a TOML file, each taken by a function; every complaint names file, line and key.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "harness/core/text/toml_text.hpp"

namespace assay::core {

class TomlKeys {
 public:
  using Take = std::function<void(const toml::node&)>;

  explicit TomlKeys(std::string file) : file_(std::move(file)) {}

  const std::string& file() const { return file_; }
  /// "FILE:LINE"
  std::string where(const toml::node& node) const;
  [[noreturn]] void wrong(const toml::node& node, const std::string& key, const std::string& expected) const;
  /// Throws a usage Error for a key that none of `takes` takes; `name`: of the table, for that message.
  void each_key(const toml::table& table, const std::string& name,
                const std::map<std::string, Take>& takes) const;
  /// A string that is not empty.
  std::string word(const toml::node& node, const std::string& key) const;

 private:
  std::string file_;
};

}  // namespace assay::core
