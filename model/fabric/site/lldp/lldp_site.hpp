// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A site's cables by LLDP: a CSV file, what lldpcli prints of one system, or a folder with a file a system,
// also as one text (harness/core/files/folder_text.hpp).
#pragma once

#include <string>

#include "model/fabric/site/port_choice.hpp"

namespace assay::model::fabric::site {

/// Files of a folder whose names begin with a dot are left out. A system has the name that show chassis
/// gives it, else that of its file without .json, .json0, .keyvalue, .kv, .txt or .out, and without -chassis
/// or -neighbors before it: what show chassis prints may be in a file next to the neighbours'. Throws a usage
/// Error with the file, as the readers do.
SiteFabric read_lldp(const std::string& path, LinkSpeed speed = {}, const ChoosePort& choose = {});
SiteFabric parse_lldp(const std::string& text, const std::string& file, LinkSpeed speed = {},
                      const ChoosePort& choose = {});

}  // namespace assay::model::fabric::site
