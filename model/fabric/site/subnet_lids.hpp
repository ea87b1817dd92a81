// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// LIDs of adapters' ports by opensm-subnet.lst (opensm 3.3.23), a line for each end of each cable.
#pragma once

#include <string>
#include <string_view>

#include "model/fabric/site/site_fabric.hpp"

namespace assay::model::fabric::site {

/// Sets the base LID of each host whose node GUID and port the list has. Throws a usage Error with file and
/// line for a LID or port beyond the last that there is; with the file where no line is of the list.
void read_subnet_lids(const std::string& file, SiteFabric& site);
void parse_subnet_lids(std::string_view text, const std::string& file, SiteFabric& site);

}  // namespace assay::model::fabric::site
