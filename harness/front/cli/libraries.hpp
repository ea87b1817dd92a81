// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The libraries that the programs of this build were made with.
#pragma once

#include <string>
#include <vector>

namespace assay::cli {

/// "SQLite 3.40.1", as the configure run found them; those that a node brings may be others.
std::vector<std::string> libraries_of_build();

}  // namespace assay::cli
