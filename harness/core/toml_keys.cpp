// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/toml_keys.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "harness/core/error.hpp"

namespace assay::core {

std::string TomlKeys::where(const toml::node& node) const {
  return fmt::format("{}:{}", file_, node.source().begin.line);
}

void TomlKeys::wrong(const toml::node& node, const std::string& key, const std::string& expected) const {
  usage_error(fmt::format("{}: key '{}': expected {}", where(node), key, expected));
}

void TomlKeys::each_key(const toml::table& table, const std::string& name,
                        const std::map<std::string, Take>& takes) const {
  std::vector<std::string> known;
  for (const auto& [key, take] : takes) known.push_back(key);
  for (const auto& [key, value] : table) {
    const auto take = takes.find(std::string(key.str()));
    if (take == takes.end())
      usage_error(fmt::format("{}: unknown key '{}' in {} (expected some of: {})", where(value), key.str(),
                              name, fmt::join(known, " ")));
    take->second(value);
  }
}

std::string TomlKeys::word(const toml::node& node, const std::string& key) const {
  const auto value = node.value<std::string>();
  if (!node.is_string() || !value || value->empty()) wrong(node, key, "a string that is not empty");
  return *value;
}

}  // namespace assay::core
