// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/health/expectation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "harness/core/error.hpp"
#include "harness/core/toml_text.hpp"

namespace assay::health {
namespace {

using Setter = std::function<bool(const toml::node&, Expectation&)>;

struct Key {
  const char* expected;
  Setter set;  // false where the value is of another kind
};

Key word(std::optional<std::string> Expectation::* member) {
  return {"a string", [member](const toml::node& node, Expectation& into) {
            into.*member = node.value_exact<std::string>();
            return (into.*member).has_value();
          }};
}

Key count(std::optional<int> Expectation::* member) {
  return {"a whole number from 0 to 65536", [member](const toml::node& node, Expectation& into) {
            const auto value = node.value_exact<std::int64_t>();
            if (!value || *value < 0 || *value > 65536) return false;
            into.*member = static_cast<int>(*value);
            return true;
          }};
}

/// False for an empty array, and for one with anything but words.
bool take_words(const toml::node& node, std::vector<std::string>& into) {
  const toml::array* words = node.as_array();
  if (words == nullptr || words->empty()) return false;
  into.clear();
  for (const toml::node& one : *words) into.push_back(one.value_exact<std::string>().value_or(""));
  return std::find(into.begin(), into.end(), "") == into.end();
}

Key devices(std::optional<std::vector<std::string>> Expectation::* member) {
  return {"an array of RDMA devices, such as [\"mlx5_0\"]",
          [member](const toml::node& node, Expectation& into) {
            return take_words(node, (into.*member).emplace());
          }};
}

Key kind_of_cable() {
  return {"\"copper\" or \"optical\"", [](const toml::node& node, Expectation& into) {
            into.cable = node.value_exact<std::string>();
            return into.cable == "copper" || into.cable == "optical";
          }};
}

const std::map<std::string, Key, std::less<>>& keys() {
  static const std::map<std::string, Key, std::less<>> all{
      {"source",
       {"a string that says where these numbers are from",
        [](const toml::node& node, Expectation& into) {
          into.source = node.value_exact<std::string>().value_or("");
          return !into.source.empty();
        }}},
      {"rails", devices(&Expectation::rails)},
      {"gpus", count(&Expectation::gpus)},
      {"nvlinks", count(&Expectation::nvlinks)},
      {"adapters", count(&Expectation::adapters)},
      {"mtu_bytes", count(&Expectation::mtu_bytes)},
      {"gpu_name", word(&Expectation::gpu_name)},
      {"vbios", word(&Expectation::vbios)},
      {"link_layer", word(&Expectation::link_layer)},
      {"adapter_firmware", word(&Expectation::adapter_firmware)},
      {"cable", kind_of_cable()},
      {"rate_gbit_per_s",
       {"a number above 0",
        [](const toml::node& node, Expectation& into) {
          into.rate_gbit_per_s = node.value<double>();
          return into.rate_gbit_per_s.value_or(0) > 0;
        }}},
      {"absent_counters",
       {"an array of counters of RDMA ports, such as [\"req_transport_retries_exceeded\"]",
        [](const toml::node& node, Expectation& into) { return take_words(node, into.absent_counters); }}},
      {"adaptive_routing",
       {"true or false",
        [](const toml::node& node, Expectation& into) {
          const auto value = node.value_exact<bool>();
          into.adaptive_routing = value.value_or(false);
          return value.has_value();
        }}},
  };
  return all;
}

void set(const std::string& file, std::string_view name, const toml::node& node, Expectation& into) {
  const auto line = node.source().begin.line;
  const auto key = keys().find(name);
  if (key == keys().end()) {
    std::string known;
    for (const auto& [one, ignored] : keys()) known += (known.empty() ? "" : ", ") + one;
    core::usage_error(fmt::format("{}:{}: unknown key '{}' (expected {})", file, line, name, known));
  }
  if (!key->second.set(node, into))
    core::usage_error(fmt::format("{}:{}: {}: expected {}", file, line, name, key->second.expected));
}

}  // namespace

Expectation read_expectation(const std::string& file) {
  Expectation expectation;
  const toml::table table = core::read_toml(file, "what this machine should have (docs/reference/files.md)");
  for (const auto& [name, node] : table) set(file, name.str(), node, expectation);
  if (expectation.source.empty())
    core::usage_error(fmt::format("{}: no 'source': expected who says what this machine has", file));
  return expectation;
}

}  // namespace assay::health
