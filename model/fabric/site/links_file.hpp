// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A site's topology as a fabric file, for the commands that simulate.
#pragma once

#include <string>
#include <string_view>

#include "model/fabric/site/site_fabric.hpp"

namespace assay::model::fabric::site {

/// TOML of the preset `links`. Hosts are numbered by the natural order of their names, so that the ports of a
/// node are in a row; cables slower than the fastest are degraded. Names of switches, and what was assumed,
/// are comments. `source` says what it was read from. Throws a usage Error for parallel cables of which one
/// is slower: a file has one name for both.
std::string links_file(const SiteFabric& site, std::string_view source);

}  // namespace assay::model::fabric::site
