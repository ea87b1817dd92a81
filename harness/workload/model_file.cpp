// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A model given as a small TOML file: every key known, every value positive, or one line saying what is not.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "harness/core/error.hpp"
#include "harness/core/files/input_file.hpp"
#include "harness/core/text/nearest_name.hpp"
#include "harness/core/text/toml_text.hpp"
#include "harness/workload/transformer.hpp"

namespace assay::workload {
namespace {

constexpr std::array<std::string_view, 8> known_keys = {"name",     "hidden",    "feed_forward", "heads",
                                                        "kv_heads", "head_size", "gated",        "layers"};

class ModelTable {
 public:
  ModelTable(const std::string& text, const std::string& file)
      : file_(file), table_(core::parse_toml(text, file)) {
    for (const auto& [key, value] : table_)
      if (std::find(known_keys.begin(), known_keys.end(), key.str()) == known_keys.end())
        fail(value, fmt::format("{}: {}", key.str(), core::unknown_key(key.str(), known_keys)));
  }

  std::string word(std::string_view key) const {
    const toml::node& node = require(key, "a string");
    const auto text = node.value_exact<std::string>();
    if (!text || text->empty()) fail(node, fmt::format("key '{}': expected a string that is not empty", key));
    return *text;
  }

  std::int64_t size(std::string_view key) const {
    const toml::node& node = require(key, "a whole number");
    const auto number = node.value_exact<std::int64_t>();
    // The largest published model stays below 2^18; 2^30 leaves a margin and keeps every product inside 64
    // bits.
    if (!number || *number < 1 || *number > (std::int64_t{1} << 30))
      fail(node, fmt::format("key '{}': expected a whole number from 1 to 2^30", key));
    return *number;
  }

  bool flag(std::string_view key) const {
    const toml::node& node = require(key, "true or false");
    const auto value = node.value_exact<bool>();
    if (!value) fail(node, fmt::format("key '{}': expected true or false", key));
    return *value;
  }

 private:
  const toml::node& require(std::string_view key, std::string_view expected) const {
    const toml::node* node = table_.get(key);
    if (node == nullptr)
      core::usage_error(fmt::format("{}:1: key '{}' is missing: expected {}", file_, key, expected));
    return *node;
  }
  [[noreturn]] void fail(const toml::node& node, const std::string& what) const {
    core::usage_error(fmt::format("{}:{}: {}", file_, node.source().begin.line, what));
  }

  std::string file_;
  toml::table table_;
};

}  // namespace

Transformer parse_model(const std::string& text, const std::string& file) {
  const ModelTable table(text, file);
  Transformer model{.name = table.word("name"),
                    .hidden = table.size("hidden"),
                    .feed_forward = table.size("feed_forward"),
                    .heads = table.size("heads"),
                    .kv_heads = table.size("kv_heads"),
                    .head_size = table.size("head_size"),
                    .gated = table.flag("gated"),
                    .layers = table.size("layers")};
  if (model.heads % model.kv_heads != 0)
    core::usage_error(
        fmt::format("{}:1: {} heads cannot be grouped over {} kv heads", file, model.heads, model.kv_heads));
  return model;
}

Transformer read_model(const std::string& path) {
  return parse_model(core::read_input(path, "a model in TOML", 1U << 20U), path);
}

}  // namespace assay::workload
