// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/text/toml_keys.hpp"

#include <fmt/format.h>

#include "harness/core/error.hpp"
#include "harness/core/text/nearest_name.hpp"

namespace assay::core {

std::string TomlKeys::where(const toml::node& node) const {
  return fmt::format("{}:{}", file_, node.source().begin.line);
}

void TomlKeys::wrong(const toml::node& node, const std::string& key, const std::string& expected) const {
  usage_error(fmt::format("{}: key '{}': expected {}", where(node), key, expected));
}

void TomlKeys::each_key(const toml::table& table, const std::string& name,
                        const std::map<std::string, Take>& takes) const {
  for (const auto& [key, value] : table) {
    const auto take = takes.find(std::string(key.str()));
    if (take == takes.end())
      usage_error(
          fmt::format("{}: {}: {}", where(value), key.str(), unknown_key(key.str(), keys_of(takes), name)));
    take->second(value);
  }
}

std::string TomlKeys::word(const toml::node& node, const std::string& key) const {
  const auto value = node.value<std::string>();
  if (!node.is_string() || !value || value->empty()) wrong(node, key, "a string that is not empty");
  return *value;
}

}  // namespace assay::core
