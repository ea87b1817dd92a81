// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Counters of ports as InfiniBand tools print them: ibqueryerrors and perfquery (infiniband-diags 44.0), and
// the section PM_INFO of ibdiagnet's db_csv.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/fabric/site/infiniband/ib_list.hpp"

namespace assay::model::fabric::counters {

/// Names as perfquery has them, without "Ext" and "Extended": "SymbolErrorCounter".
using Counters = std::map<std::string, std::uint64_t, std::less<>>;

struct PortCounters {
  std::map<std::pair<std::uint64_t, std::uint32_t>, Counters> ports;  // by node's GUID and port
  bool bad_ports_alone = false;  // of ibqueryerrors: ports below its thresholds are not listed
  std::vector<std::string> notes = {};
};

/// GUIDs of nodes by the LIDs of their ports, which perfquery names.
using GuidsOfLids = std::map<std::uint32_t, std::uint64_t>;

GuidsOfLids guids_of_lids(const site::IbList& list);

/// Throws a usage Error with file and line for values that are no numbers or too large, ports beyond 254,
/// LIDs that the list does not have, and lines of more than 100,000 bytes; with the file where it has no
/// counter.
PortCounters read_port_counters(const std::string& file, const GuidsOfLids& lids);
PortCounters parse_port_counters(std::string_view text, const std::string& file, const GuidsOfLids& lids);

}  // namespace assay::model::fabric::counters
