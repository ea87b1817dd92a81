// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Rows of both ends of a cable, joined. Names of a port differ by end: "Eth1/1" here, "Ethernet1/1" there.
#pragma once

#include <string>
#include <vector>

#include "model/fabric/site/lldp/lldp_rows.hpp"

namespace assay::model::fabric::site {

struct LldpCable {
  const LldpRow* row = nullptr;
  const LldpRow* back = nullptr;  // by the other end, where it lists the cable
};

struct LldpCables {
  std::vector<LldpCable> cables;
  std::vector<std::string> notes;
};

/// Rows name each system in one way only, and outlive the result. Two ends that name their ports by addresses
/// alone are joined in the order of the rows where each lists as many. Throws a usage Error as lldp_fabric().
LldpCables join_rows(const std::vector<LldpRow>& rows);

/// The port of the end that lists the cable, and that of the other end.
const std::string& own_port(const LldpCable& cable);
const std::string& peer_port(const LldpCable& cable);

}  // namespace assay::model::fabric::site
