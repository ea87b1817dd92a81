// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/file/key_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "harness/core/error.hpp"

namespace assay::model::fabric {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 15> short_keys{
    {{"routing", "routing.kind"},
     {"hash", "routing.hash"},
     {"queue_pairs", "routing.queue_pairs"},
     {"queue_pair_use", "routing.queue_pair_use"},
     {"same_seed", "routing.same_seed"},
     {"spray_efficiency", "routing.spray_efficiency"},
     {"gbit_per_s", "link.gbit_per_s"},
     {"metres", "link.metres"},
     {"hop_latency_us", "link.hop_latency_us"},
     {"switch", "switch.buffer"},
     {"xoff", "switch.xoff"},
     {"xon", "switch.xon"},
     {"channels", "admission.channels"},
     {"buffer", "admission.buffer"},
     {"wait_us", "admission.wait_us"}}};

/// `text` where it is not the TOML of one value.
void put(toml::table& table, std::string_view key, const std::string& text) {
  try {
    toml::table parsed = core::parse_toml("value = " + text, "value");
    if (parsed.size() == 1 && !text.empty()) {
      table.insert_or_assign(key, std::move(*parsed.get("value")));
      return;
    }
  } catch (const core::Error&) {  // a word
  }
  table.insert_or_assign(key, text);
}

}  // namespace

KeyValue key_value(const std::string& text, const std::string& flag) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
    core::usage_error(fmt::format("{} '{}': expected KEY=VALUE, as routing.queue_pairs=16", flag, text));
  return {text.substr(0, equals), text.substr(equals + 1), flag};
}

std::vector<KeyValue> key_values(std::span<const std::string> texts, const std::string& flag) {
  std::vector<KeyValue> all;
  for (const std::string& text : texts) all.push_back(key_value(text, flag));
  return all;
}

std::string whole_key(const std::string& key) {
  const auto* const found = std::ranges::find(short_keys, key, &decltype(short_keys)::value_type::first);
  return found == short_keys.end() ? key : std::string(found->second);
}

std::vector<core::ReplacedKey> replace_keys(toml::table& table, std::span<const KeyValue> values) {
  std::vector<core::ReplacedKey> replaced;
  for (const auto& [key, value, flag] : values) {
    const std::string whole = whole_key(key);
    toml::table* at = &table;
    std::size_t begin = 0;
    for (std::size_t dot = whole.find('.'); dot != std::string::npos; dot = whole.find('.', begin)) {
      const std::string part = whole.substr(begin, dot - begin);
      if (!at->contains(part)) {
        at->insert(part, toml::table());
        replaced.push_back({whole.substr(0, dot), flag});
      }
      toml::node* const next = at->get(part);
      if (!next->is_table())
        core::usage_error(fmt::format("{} {}: '{}' is not a table of keys", flag, whole, part));
      at = next->as_table();
      begin = dot + 1;
    }
    put(*at, whole.substr(begin), value);
    replaced.push_back({whole, flag});
  }
  return replaced;
}

}  // namespace assay::model::fabric
