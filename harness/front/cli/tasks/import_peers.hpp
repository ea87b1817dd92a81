// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Results of other tools on their way into the store, or printed as they would be.
#pragma once

#include <string>
#include <vector>

namespace assay::cli {

struct PeerImport {
  std::vector<std::string> paths;  // files and folders
  std::string kind;                // "auto", or a reader's
  std::string host, pattern, zone;
  std::string store;
  std::string repairs;  // CSV of a site's repairs; empty: none
  bool dry_run = false, json = false;
};

/// The exit code: 2 where a file or a row was refused, though all others were imported.
int import_peers(const PeerImport& import);

}  // namespace assay::cli
