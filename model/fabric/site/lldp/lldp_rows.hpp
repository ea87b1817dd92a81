// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Neighbours that systems learned by LLDP (IEEE 802.1AB), whatever tool listed them, and the fabric of them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/fabric/site/port_choice.hpp"

namespace assay::model::fabric::site {

/// A port and the system that it is of. All names are the same port's, the preferred one first.
struct LldpPort {
  std::string system;
  std::vector<std::string> names;
};

struct LldpRow {
  LldpPort own, peer;
  double gbit_per_s = 0;              // 0: unknown
  std::optional<bool> peer_forwards;  // it states the capability Bridge or Router, or others only
  std::string place;                  // "lldp.csv:2"
};

struct LldpLists {
  std::string file;  // or folder
  std::vector<LldpRow> rows;
  std::map<std::string, bool> forwards;                // systems that say so themselves
  std::map<std::string, std::string> name_by_chassis;  // by plain_port() of its identifier
  bool list_is_of_a_switch = false;  // who has a list of its own and states nothing is a switch
  std::vector<std::string> notes;
};

/// A cable may be listed by one end or by both. Hosts' ports that `choose` refuses by "HOST PORT", in any
/// name of a port, are left out as in read_ibnetdiscover(). Throws a usage Error with both rows' places where
/// they contradict each other or names of ports do not match, and as site_fabric().
SiteFabric lldp_fabric(const LldpLists& lists, LinkSpeed speed, const ChoosePort& choose);

}  // namespace assay::model::fabric::site
