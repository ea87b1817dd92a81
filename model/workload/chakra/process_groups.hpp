// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// PyTorch's process groups in the trace of a rank.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/workload/chakra/trace.hpp"

namespace assay::model::workload {

/// A node of that name states the groups: "## process_group:init ##".
bool states_process_groups(std::string_view node_name);

/// Text of inputs.values: JSON, [{"pg_name": "1", "ranks": [0, 1], "group_size": 2}], alone or as Python
/// prints a list that holds it. Nothing for other text.
std::optional<std::map<std::string, TraceGroup>> process_groups(const std::string& values);

/// Rising, each once; nothing for other JSON.
std::optional<std::vector<std::uint32_t>> listed_ranks(const nlohmann::json& list);

}  // namespace assay::model::workload
