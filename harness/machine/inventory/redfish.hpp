// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The board controller's description of a node, from files: a Redfish tree as DMTF's Mockup Creator saves it,
// one folder a resource with its index.json.
#pragma once

#include <string>

#include "harness/machine/inventory/inventory.hpp"

namespace assay::machine {

/// Fills in what the operating system did not show; what it did stays, as controllers may hold stale values.
/// Settings that may name persons, keys or one board are left out. Throws a usage Error for a folder without
/// a service root, and for a file that is not JSON, by its name.
void take_redfish(const std::string& folder, Inventory& into);

}  // namespace assay::machine
