// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Decides which systems of LLDP lists are switches.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "model/fabric/site/lldp/lldp_cables.hpp"

namespace assay::model::fabric::site {

struct LldpKinds {
  std::set<std::string> switches;
  std::vector<std::string> unreported;  // hosts without a list and with cables to several switches
  std::vector<std::string> notes;       // what was decided by names of ports
};

/// A system that states other capabilities than Bridge and Router is a host; one that states these, or lists
/// neighbours where lists are switches' own, is a switch, unless all its ports are named as adapters' are and
/// those of all its neighbours as switches': hosts of containers forward, too. Names of ports decide on those
/// that state nothing: a switch's, an adapter's, or, where they may be either, a switch has cables to several
/// switches, or several cables next to systems with adapters' names.
LldpKinds kinds_of(const LldpLists& lists, const std::vector<LldpCable>& cables);

}  // namespace assay::model::fabric::site
