// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The topology file that ibnetdiscover prints (rdma-core, infiniband-diags, ibnetdiscover(8), "topology file
// format"): a block for each switch and channel adapter, a line for each port with a cable.
#pragma once

#include <string>

#include "model/fabric/site/site_fabric.hpp"

namespace assay::model::fabric::site {

/// Nodes are named by their descriptions, those whose description is not theirs alone by their GUIDs.
/// Aggregation nodes inside switches (SHARP) and routers are left out. Speeds are those of the lines' ends
/// ("4xNDR"), else `speed`. Throws a usage Error with file and line for a line that is neither, a cable whose
/// two ends disagree and a peer without a block.
SiteFabric read_ibnetdiscover(const std::string& file, LinkSpeed speed = {});
SiteFabric parse_ibnetdiscover(const std::string& text, const std::string& file, LinkSpeed speed = {});

}  // namespace assay::model::fabric::site
