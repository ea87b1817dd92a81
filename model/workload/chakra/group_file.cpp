// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/workload/chakra/group_file.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/core/error.hpp"
#include "harness/core/files/input_file.hpp"
#include "harness/core/text/json_from.hpp"
#include "model/workload/chakra/group_members.hpp"
#include "model/workload/chakra/process_groups.hpp"

namespace assay::model::workload {

std::map<std::string, TraceGroup> read_group_file(const std::string& file) {
  constexpr std::size_t longest = std::size_t{64} << 20U;  // bytes
  const std::string text = core::read_input(file, "ASTRA-sim's groups, a JSON file", longest);
  const auto stated = core::json_or_discarded<nlohmann::json>(text);
  if (!stated.is_object() || stated.empty())
    core::usage_error(file + R"(: expected ASTRA-sim's groups in JSON: {"1": [0, 1, 2, 3]})");
  std::map<std::string, TraceGroup> groups;
  for (const auto& [name, ranks] : stated.items()) {
    TraceGroup group;
    if (const auto listed = listed_ranks(ranks)) group.ranks = *listed;
    if (group.ranks.empty())
      core::usage_error(fmt::format("{}: group {}: expected a list of ranks", file, shown_group(name)));
    groups.emplace(name, std::move(group));
  }
  return groups;
}

void state_groups(std::span<Trace> traces, const std::map<std::string, TraceGroup>& groups) {
  for (Trace& trace : traces)
    for (const auto& [name, group] : groups) trace.groups.insert_or_assign(name, group);
}

}  // namespace assay::model::workload
