// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Keys are those of PyTorch's execution traces; the node's name and Python's list around the JSON those of
// mlcommons/chakra, src/converter (21585d8f).
#include "model/workload/chakra/process_groups.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/core/text/json_from.hpp"
#include "harness/core/text/json_text.hpp"

namespace assay::model::workload {
namespace {

using nlohmann::json;

constexpr std::uint64_t most_listed_rank = 1U << 31U;

/// Between the quotation marks of a Python list of one text, without its backslashes; other text as it is.
std::string within_python_list(const std::string& values) {
  constexpr std::size_t marks = 2;  // "['" and "']"
  const std::size_t size = values.size();
  if (size < 2 * marks || values[0] != '[' || values[size - 1] != ']' ||
      (values[1] != '\'' && values[1] != '"') || values[size - 2] != values[1])
    return values;
  std::string inner;
  for (std::size_t at = marks; at < size - marks; ++at) {
    if (values[at] == '\\' && at + 1 < size - marks) ++at;
    inner += values[at];
  }
  return inner;
}

std::string name_of(const json& group) {
  const auto name = group.find("pg_name");
  if (name == group.end()) return {};
  if (name->is_string()) return name->get<std::string>();
  return name->is_number_integer() ? core::json_text(*name) : "";
}

std::optional<TraceGroup> group_of(const json& stated) {
  TraceGroup group;
  for (const char* key : {"group_size", "pg_size"})
    if (const auto size = stated.find(key); size != stated.end() && size->is_number_unsigned())
      group.size = size->get<std::uint64_t>();
  const auto ranks = stated.find("ranks");
  auto listed = ranks == stated.end() ? std::nullopt : listed_ranks(*ranks);
  if (!listed) return std::nullopt;
  group.ranks = *std::move(listed);
  return group;
}

}  // namespace

bool states_process_groups(std::string_view node_name) {
  return node_name.find("process_group:init") != std::string_view::npos;
}

std::optional<std::vector<std::uint32_t>> listed_ranks(const json& list) {
  if (!list.is_array()) return std::nullopt;
  std::vector<std::uint32_t> ranks;
  for (const json& rank : list) {
    if (!rank.is_number_unsigned() || rank.get<std::uint64_t>() >= most_listed_rank) return std::nullopt;
    ranks.push_back(rank.get<std::uint32_t>());
  }
  std::ranges::sort(ranks);
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  return ranks;
}

std::optional<std::map<std::string, TraceGroup>> process_groups(const std::string& values) {
  json list = core::json_or_discarded<json>(within_python_list(values));
  if (list.is_array() && list.size() == 1 && list.front().is_string())
    list = core::json_or_discarded<json>(list.front().get<std::string>());
  if (!list.is_array()) return std::nullopt;
  std::map<std::string, TraceGroup> groups;
  for (const json& one : list) {
    if (!one.is_object()) return std::nullopt;
    const std::string name = name_of(one);
    std::optional<TraceGroup> group = group_of(one);
    if (name.empty() || !group) return std::nullopt;
    groups.insert_or_assign(name, std::move(*group));
  }
  return groups;
}

}  // namespace assay::model::workload
