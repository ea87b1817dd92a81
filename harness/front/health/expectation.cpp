// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/health/expectation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <regex>

#include "harness/core/error.hpp"
#include "harness/core/text/glob.hpp"
#include "harness/core/text/nearest_name.hpp"
#include "harness/core/text/toml_text.hpp"
#include "harness/machine/tree.hpp"
#include "results/judge/limits/limits_file.hpp"

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

Key serials() {
  return {"an array of serial numbers, such as [\"1650000000001\"]",
          [](const toml::node& node, Expectation& into) { return take_words(node, into.gpu_serials); }};
}

Key kind_of_cable() {
  return {"\"copper\" or \"optical\"", [](const toml::node& node, Expectation& into) {
            into.cable = node.value_exact<std::string>();
            return into.cable == "copper" || into.cable == "optical";
          }};
}

Key cuda_version() {
  return {"a version such as \"13.0\"", [](const toml::node& node, Expectation& into) {
            into.cuda = node.value_exact<std::string>();
            static const std::regex version("[0-9]{1,3}\\.[0-9]{1,3}");
            return into.cuda && std::regex_match(*into.cuda, version);
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
      {"nvme_drives", count(&Expectation::nvme_drives)},
      {"gpu_serials", serials()},
      {"mtu_bytes", count(&Expectation::mtu_bytes)},
      {"gpu_name", word(&Expectation::gpu_name)},
      {"vbios", word(&Expectation::vbios)},
      {"link_layer", word(&Expectation::link_layer)},
      {"adapter_firmware", word(&Expectation::adapter_firmware)},
      {"cable", kind_of_cable()},
      {"cuda", cuda_version()},
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
  if (key == keys().end())
    core::usage_error(
        fmt::format("{}:{}: {}: {}", file, line, name, core::unknown_key(name, core::keys_of(keys()))));
  if (!key->second.set(node, into))
    core::usage_error(fmt::format("{}:{}: {}: expected {}", file, line, name, key->second.expected));
}

[[noreturn]] void refuse_nodes(const std::string& file, const toml::node& node) {
  core::usage_error(fmt::format("{}:{}: nodes: expected tables [[nodes]], each with names = [\"gpu-01*\"]",
                                file, node.source().begin.line));
}

/// The keys of one of the nodes; true where it names the host.
bool take_node(const std::string& file, const toml::node& node, const std::optional<std::string>& host,
               Expectation& into) {
  const toml::table* keys_of_node = node.as_table();
  const toml::node* names = keys_of_node == nullptr ? nullptr : keys_of_node->get("names");
  std::vector<std::string> globs;
  if (names == nullptr || !take_words(*names, globs)) refuse_nodes(file, node);
  for (const auto& [name, value] : *keys_of_node)
    if (name.str() != "names") set(file, name.str(), value, into);
  return host &&
         std::ranges::any_of(globs, [&](const std::string& glob) { return core::glob_matches(glob, *host); });
}

void take_nodes(const std::string& file, const toml::node& node, const std::optional<std::string>& host,
                Expectation& into) {
  const toml::array* nodes = node.as_array();
  if (nodes == nullptr || nodes->empty()) refuse_nodes(file, node);
  bool found = false;
  const Expectation of_all = into;
  for (const toml::node& one : *nodes) {
    Expectation of_node = of_all;
    if (!take_node(file, one, host, of_node) || found) continue;
    into = of_node;
    found = true;
  }
  if (host && !found) core::usage_error(fmt::format("{}: no [[nodes]] names this node, '{}'", file, *host));
}

}  // namespace

Expectation read_expectation(const std::string& file, const std::optional<std::string>& host) {
  Expectation expectation;
  const toml::table table = core::read_toml(file, "what this machine should have (docs/reference/files.md)");
  for (const auto& [name, node] : table)
    if (name.str() != "nodes") set(file, name.str(), node, expectation);
  if (expectation.source.empty())
    core::usage_error(fmt::format("{}: no 'source': expected who says what this machine has", file));
  if (const toml::node* nodes = table.get("nodes")) take_nodes(file, *nodes, host, expectation);
  return expectation;
}

std::string name_of_node(const std::string& root) {
  return machine::Tree(root).text("/proc/sys/kernel/hostname");
}

}  // namespace assay::health
