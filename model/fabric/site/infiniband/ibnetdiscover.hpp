// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The topology file that ibnetdiscover prints (rdma-core, infiniband-diags, ibnetdiscover(8), "topology file
// format"): a block for each switch and channel adapter, a line for each port with a cable.
#pragma once

#include <string>

#include "model/fabric/site/port_choice.hpp"

namespace assay::model::fabric::site {

/// Switches are named by their descriptions, those whose description is not theirs alone by their GUIDs;
/// hosts as ib_hosts.hpp says. Left out, with a note: aggregation nodes inside switches (SHARP), routers,
/// adapters without a block, cables from a node to itself, ports that `choose` refuses by "HOST
/// ADAPTER/PORT", and switches that only these reach. Rates are the lower of those that the ends of a cable
/// state, else `speed`. Throws a usage Error with file and line as read_ib_list does, for a cable whose two
/// ends disagree and a switch without a block; with the file where `choose` leaves no port.
SiteFabric read_ibnetdiscover(const std::string& file, LinkSpeed speed = {}, const ChoosePort& choose = {});
SiteFabric parse_ibnetdiscover(const std::string& text, const std::string& file, LinkSpeed speed = {},
                               const ChoosePort& choose = {});

}  // namespace assay::model::fabric::site
