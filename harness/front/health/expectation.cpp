// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/health/expectation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "harness/core/describe/toml_fields.hpp"
#include "harness/core/error.hpp"
#include "harness/core/text/glob.hpp"
#include "harness/machine/tree.hpp"

namespace assay::health {
namespace {

void replace_or_add(std::vector<machine::Fact>& facts, const machine::Fact& fact) {
  const auto known = std::ranges::find(facts, fact.name(), &machine::Fact::name);
  if (known == facts.end())
    facts.push_back(fact);
  else
    *known = fact;
}

/// A text a kind of part, or a table of texts by unit: [parts.dimm] P0_A1 = "64 GiB DDR5".
void take_parts(const core::TomlSection& section, std::vector<machine::Fact>& into) {
  const auto parts = section.table("parts");
  if (!parts) return;
  std::vector<std::string_view> names;
  for (const machine::KindOfFact& kind : machine::kinds_of_facts()) names.push_back(kind.name);
  parts->allow(names);
  for (const machine::KindOfFact& kind : machine::kinds_of_facts()) {
    if (!parts->has(kind.name)) continue;
    const std::string name(kind.name);
    if (kind.units == machine::Units::single) {
      replace_or_add(into, {name, "", *parts->word(name)});
      continue;
    }
    const auto units = parts->table(name);
    for (const std::string& unit : units->keys()) replace_or_add(into, {name, unit, *units->word(unit)});
  }
}

void take_keys(const core::TomlSection& section, std::string_view other, Expectation& into) {
  core::read_fields(section, into, {other, "parts", "job"});
  take_parts(section, into.parts);
  take_job(section, into.job);
  static const std::regex version("[0-9]{1,3}\\.[0-9]{1,3}");
  if (section.has("cuda") && !std::regex_match(*into.cuda, version))
    section.refuse("cuda", fmt::format("expected a version such as \"13.0\", got {}", *into.cuda));
}

void take_nodes(const core::TomlSection& root, const std::optional<std::string>& host, Expectation& into) {
  bool found = false;
  const Expectation of_all = into;
  for (const core::TomlSection& section : root.tables("nodes")) {
    Expectation of_node = of_all;
    take_keys(section, "names", of_node);
    const auto globs = section.words("names");
    if (!globs) section.missing("names", "globs of host names, such as [\"gpu-01*\"]");
    const auto is_host = [&](const std::string& glob) { return core::glob_matches(glob, *host); };
    if (found || !host || std::ranges::none_of(*globs, is_host)) continue;
    into = of_node;
    found = true;
  }
  if (host && !found)
    core::usage_error(fmt::format("{}: no [[nodes]] names this node, '{}'", root.source().file, *host));
}

}  // namespace

Expectation read_expectation(const std::string& file, const std::optional<std::string>& host) {
  Expectation expectation;
  const core::TomlFile toml =
      core::read_toml(file, "what this machine should have (docs/reference/files.md)");
  const core::TomlSection root = toml.root();
  take_keys(root, "nodes", expectation);
  if (!root.has("source")) root.missing("source", "who says what this machine has");
  if (root.has("nodes")) take_nodes(root, host, expectation);
  return expectation;
}

std::string name_of_node(const std::string& root) {
  return machine::Tree(root).text("/proc/sys/kernel/hostname");
}

}  // namespace assay::health
