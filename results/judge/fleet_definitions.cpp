// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/fleet_definitions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <unordered_map>
#include <utility>

#include "results/database.hpp"
#include "results/measured_unit.hpp"

namespace assay::results {
namespace {

constexpr const char* definitions_query =
    "SELECT x.host, c.name, p.key, ifnull(p.work_bytes, '') || '|' || ifnull(p.work_flops, '') || '|' || "
    "ifnull(json_extract(p.record, '$.work.bytes_counted'), '') || '|' || "
    "ifnull(json_extract(p.record, '$.time.quantile'), '') || '|' || "
    "ifnull(json_extract(p.record, '$.conditions.ranks'), '') || '|' || "
    "ifnull(json_extract(p.record, '$.conditions.nodes'), '') || '|' || "
    "ifnull(json_extract(p.record, '$.conditions.groups'), '') "
    "FROM points p JOIN cases c ON c.id = p.case_id JOIN contexts x ON x.run = p.run AND x.process = "
    "p.process "
    "WHERE p.status = 0 AND (?1 = '' OR c.name GLOB ?1 OR c.name || '/' || p.key GLOB ?1)";

constexpr std::array definition_words{"bytes of an iteration",
                                      "FLOPs of an iteration",
                                      "how bytes are counted",
                                      "quantile of the time",
                                      "ranks",
                                      "nodes",
                                      "groups"};

/// Hosts by what a point means there.
using Meanings = std::map<std::string, std::set<std::string>>;

std::string part_of(const std::string& definition, std::size_t part) {
  std::size_t begin = 0;
  while (part-- > 0) begin = definition.find('|', begin) + 1;
  return definition.substr(begin, definition.find('|', begin) - begin);
}

/// "quantile of the time '0.99', on most hosts '0.5'"
std::string first_difference(const std::string& one, const std::string& usual) {
  for (std::size_t part = 0; part < definition_words.size(); ++part)
    if (part_of(one, part) != part_of(usual, part))
      return fmt::format("{} '{}', on most hosts '{}'", definition_words[part], part_of(one, part),
                         part_of(usual, part));
  return "";
}

void tell_differences(const std::string& point, const Meanings& meanings, std::vector<std::string>& told) {
  if (meanings.size() < 2) return;
  const auto usual =
      std::ranges::max_element(meanings, {}, [](const auto& one) { return one.second.size(); });
  for (const auto& [definition, hosts] : meanings)
    if (definition != usual->first)
      for (const std::string& host : hosts)
        told.push_back(fmt::format("host {}: {} does not mean the same there: {}", host, point,
                                   first_difference(definition, usual->first)));
}

constexpr const char* gpu_points_query =
    "SELECT DISTINCT x.host, c.name, p.key FROM points p JOIN cases c ON c.id = p.case_id "
    "JOIN contexts x ON x.run = p.run AND x.process = p.process WHERE p.key LIKE '%gpu=%' AND "
    "(?1 = '' OR c.name GLOB ?1 OR c.name || '/' || p.key GLOB ?1)";

/// Of each host, the most that any of its contexts counts.
std::map<std::string, std::size_t> gpus_counted(const Store& store) {
  std::map<std::string, std::size_t> counted;
  Statement rows = store.database().prepare(
      "SELECT host, max(ifnull(json_array_length(record, '$.machine.gpus'), 0)) FROM contexts GROUP BY host");
  while (rows.step()) counted[rows.text(0)] = static_cast<std::size_t>(rows.integer(1));
  return counted;
}

}  // namespace

std::vector<std::string> differing_definitions_of(const Store& store, const std::string& filter) {
  std::unordered_map<std::string, std::string> metrics;  // without the GPU's number, by case and key
  std::map<std::string, Meanings> points;
  Statement rows = store.database().prepare(definitions_query);
  rows.bind(filter);
  while (rows.step()) {
    const std::string name = rows.text(1), key = rows.text(2);
    const auto [metric, fresh] = metrics.try_emplace(name + "/" + key);
    if (fresh) metric->second = identity_of(name, key).metric;
    points[metric->second][rows.text(3)].insert(rows.text(0));
  }
  std::vector<std::string> told;
  for (const auto& [point, meanings] : points) tell_differences(point, meanings, told);
  return told;
}

std::vector<std::string> unmeasured_gpus_of(const Store& store, const std::string& filter) {
  std::map<std::string, std::set<std::string>> measured;
  Statement rows = store.database().prepare(gpu_points_query);
  rows.bind(filter);
  while (rows.step())
    if (const std::string gpu = identity_of(rows.text(1), rows.text(2)).gpu; !gpu.empty())
      measured[rows.text(0)].insert(gpu);
  std::vector<std::string> told;
  for (const auto& [host, counted] : gpus_counted(store)) {
    const auto found = measured.find(host);
    if (found == measured.end())
      continue;  // that others have GPUs and this one none, the judge of fleets sees
    std::vector<std::size_t> absent;
    for (std::size_t gpu = 0; gpu < counted; ++gpu)
      if (!found->second.contains(std::to_string(gpu))) absent.push_back(gpu);
    if (!absent.empty())
      told.push_back(fmt::format("host {}: it has {} GPUs, and of {} nothing was measured: {}", host, counted,
                                 absent.size(), fmt::join(absent, " ")));
  }
  return told;
}

}  // namespace assay::results
