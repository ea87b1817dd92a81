// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A subnet as files of ibsim (net) and opensm (guid2lid), for trials of other routing engines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/front/answers/routes/routes_answer.hpp"

namespace assay::answers {

struct SimulatedNet {
  std::string net = {};       // of ibsim: nodes by GUID, with the cables and ports of the fabric
  std::string guid2lid = {};  // of opensm: LIDs of hosts as the fabric has them
  std::uint32_t lmc = 0;
  std::size_t nodes = 0, switches = 0, ports = 0;
  std::uint32_t last_lid = 0;
  std::string note = {};                       // what is not as on the site
  std::vector<std::uint64_t> port_guids = {};  // of hosts, in order
  std::vector<std::uint32_t> base_lids = {};   // likewise
};

/// Throws a usage Error where routing is not by tables, and where hosts' LMCs differ.
SimulatedNet simulated_net(const RoutesQuestion& question);

/// Throws a usage Error where the dump gives a LID of a host to another port.
void check_lids(const SimulatedNet& net, const std::string& dump);

}  // namespace assay::answers
