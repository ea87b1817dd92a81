// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/health/baseline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "harness/core/text/toml_text.hpp"

namespace assay::health {
namespace {

std::int64_t links_up(const GpuState& gpu) {
  return gpu.nvlinks ? std::ranges::count(*gpu.nvlinks, true, &machine::Nvlink::active) : -1;
}

/// Counts that the checks compare with this snapshot's own.
void put_counts(const Snapshot& snapshot, toml::table& into) {
  const auto put = [&](const char* key, std::size_t count) {
    into.insert(key, static_cast<std::int64_t>(count));
  };
  if (!snapshot.gpus.empty() || (snapshot.pci_seen && snapshot.pci_gpus.empty()))
    put("gpus", snapshot.gpus.size());
  if (snapshot.pci_seen) put("adapters", snapshot.pci_adapters.size());
  put("nvme_drives", snapshot.platform.drives.size());
  if (snapshot.gpus.empty()) return;
  const std::int64_t links = links_up(snapshot.gpus.front());
  if (links >= 0 &&
      std::ranges::all_of(snapshot.gpus, [&](const GpuState& gpu) { return links_up(gpu) == links; }))
    into.insert("nvlinks", links);
}

toml::table parts_table(const std::vector<machine::Fact>& facts) {
  toml::table parts;
  for (const machine::Fact& fact : facts)
    if (fact.unit.empty())
      parts.insert(fact.kind, fact.value);
    else
      parts.insert(fact.kind, toml::table{}).first->second.as_table()->insert(fact.unit, fact.value);
  return parts;
}

/// Kinds of which this node reports nothing.
std::string not_reported(const std::vector<machine::Fact>& facts) {
  std::string names;
  for (const machine::KindOfFact& kind : machine::kinds_of_facts())
    if (std::ranges::find(facts, kind.name, &machine::Fact::kind) == facts.end())
      names += fmt::format("{}{}", names.empty() ? "" : ", ", kind.name);
  return names;
}

}  // namespace

std::string baseline_of(const Snapshot& snapshot, const std::string& utc) {
  toml::table all{{"source", fmt::format("{} at {}", snapshot.host.empty() ? "a node" : snapshot.host, utc)}};
  put_counts(snapshot, all);
  if (toml::table parts = parts_table(snapshot.parts); !parts.empty()) all.insert("parts", std::move(parts));
  std::ostringstream text;
  text << "# What this node has, for assay check --expect.\n";
  if (const std::string names = not_reported(snapshot.parts); !names.empty())
    text << "# Not reported here, and not judged: " << names << "\n";
  text << all << "\n";
  return text.str();
}

}  // namespace assay::health
