// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A site's topology as a fabric file, for the commands that simulate.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/fabric/site/site_fabric.hpp"

namespace assay::model::fabric::site {

/// TOML of the preset `links`. Hosts are numbered by the natural order of their names, so that the ports of a
/// node are in a row, and are named where nodes have unequal numbers of ports. A tier has the rate of its
/// fastest cable; slower ones are degraded, the second of parallel ones as "leaf0>spine0#2". Names of
/// switches, what was assumed and what was left out are comments. `source` says what it was read from.
std::string links_file(const SiteFabric& site, std::string_view source);

/// A fabric file as above with routing by these files of forwarding tables, named as from the folder of the
/// fabric file: cables have the ports at their switches, [subnet] has LIDs of hosts and GUIDs of switches.
/// Throws a usage Error that opens with `source` where the site's list does not state these.
std::string links_file(const SiteFabric& site, std::string_view source,
                       const std::vector<std::string>& tables);

}  // namespace assay::model::fabric::site
