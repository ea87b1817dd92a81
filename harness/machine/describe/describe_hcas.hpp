// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// RDMA devices in the text of `assay machine`.
#pragma once

#include <string>

#include "harness/machine/machine.hpp"

namespace assay::machine {

/// Ports with their links, who they are, and the GIDs a program can choose. Begins and ends with a line feed.
std::string hcas_text(const Machine& machine);

}  // namespace assay::machine
