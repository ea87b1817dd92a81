// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Entries of forwarding tables that deliver nothing, by switch and LID.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/core/words.hpp"
#include "model/fabric/routes/bind_tables.hpp"
#include "model/fabric/routes/route_patterns.hpp"

namespace assay::model::fabric::routes {

struct RouteFinding {
  enum class Kind { no_table, no_entry, no_cable, failed_cable, wrong_host, loop };
  Kind kind = Kind::no_entry;
  NodeId at = 0;                    // switch
  std::uint32_t lid = 0, lids = 1;  // the first of those with this finding at the switch, and their number
  std::uint8_t port = 0;            // of the first
};
constexpr auto words_for(core::Type<RouteFinding::Kind>) {
  return core::words_of<RouteFinding::Kind>("no_table", "no_entry", "no_cable", "failed_cable", "wrong_host",
                                            "loop");
}

/// Findings by switch, one for each kind there: a switch without a table, entries without a port, at a port
/// that has no cable (tables older than the list), that lead to another host, or into a circle. Only LIDs of
/// hosts that cables join with the switch count.
std::vector<RouteFinding> route_findings(const Topology& topology, const ForwardingTables& tables,
                                         const Subnet& subnet);

/// "spine3: LID 12 has no entry, and 7 others".
std::string text_of(const Topology& topology, const RouteFinding& finding);

}  // namespace assay::model::fabric::routes
