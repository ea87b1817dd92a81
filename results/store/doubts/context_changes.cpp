// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/store/doubts/context_changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "harness/core/text/json_text.hpp"

namespace assay::results {
namespace {

using Json = nlohmann::ordered_json;
using Leaves = std::vector<std::pair<std::string, std::string>>;  // path, value

constexpr std::array<std::string_view, 8> momentary = {"available_bytes", "free_pages",    "current_mhz",
                                                       "sm_clock_mhz",    "temperature_c", "memory_clock_mhz",
                                                       "speed_gt_per_s",  "notes"};

bool is_momentary(const std::string& key) { return std::ranges::find(momentary, key) != momentary.end(); }

void add_leaves(const std::string& path, const Json& value, Leaves& leaves) {
  if (value.is_object()) {
    for (const auto& [key, one] : value.items())
      if (!is_momentary(key)) add_leaves(path.empty() ? key : path + "." + key, one, leaves);
  } else if (value.is_array() && !value.empty() && value.front().is_structured()) {
    for (std::size_t at = 0; at < value.size(); ++at)
      add_leaves(fmt::format("{}[{}]", path, at), value[at], leaves);
  } else {
    leaves.emplace_back(path, value.is_string() ? value.get<std::string>() : core::json_text(value));
  }
}

Leaves leaves_of(const ContextRecord& context) {
  Leaves leaves{{"assay", context.assay_version}, {"source revision", context.source_revision}};
  add_leaves("", context.machine, leaves);
  add_leaves("environment", context.environment, leaves);
  return leaves;
}

}  // namespace

std::vector<std::string> changes_between(const ContextRecord& before, const ContextRecord& after) {
  const Leaves old = leaves_of(before), now = leaves_of(after);
  std::vector<std::string> changes;
  const auto value_in = [](const Leaves& leaves, const std::string& path) -> const std::string* {
    const auto found = std::ranges::find(leaves, path, &Leaves::value_type::first);
    return found == leaves.end() ? nullptr : &found->second;
  };
  for (const auto& [path, value] : now) {
    const std::string* const was = value_in(old, path);
    if (was == nullptr || *was != value)
      changes.push_back(fmt::format("{}: {} -> {}", path, was == nullptr ? "absent" : *was, value));
  }
  for (const auto& [path, value] : old)
    if (value_in(now, path) == nullptr) changes.push_back(fmt::format("{}: {} -> absent", path, value));
  return changes;
}

}  // namespace assay::results
