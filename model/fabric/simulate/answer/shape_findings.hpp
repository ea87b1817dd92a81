// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Findings on the shape of a fabric, which concern every answer about it.
#pragma once

#include "model/fabric/simulate/answer/answer.hpp"

namespace assay::model::fabric {

/// Buffers that can wait for one another, in words; empty where there are none.
std::string cycle_text(const FabricModel& model);
std::vector<std::string> cycle_names(const FabricModel& model);

/// The rule by which paths were chosen, where that is not up and then down.
std::optional<std::string> route_note(const Topology& topology);

/// The answer with both: buffers that can wait for one another are a finding next to it.
Answer with_shape(const FabricModel& model, Answer answer);

/// "host0, host1, ...": the first of them.
std::string some_names(const Topology& topology, const std::vector<NodeId>& hosts, std::size_t most);

/// "32 hosts (host0, host1, ...) and 32 hosts (...)".
std::string parts_text(const Topology& topology, const std::vector<std::vector<NodeId>>& parts);

}  // namespace assay::model::fabric
