// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/pretended_node.hpp"

#include <cstdlib>

namespace assay::machine {

std::string pretended_root() {
  const char* const folder = std::getenv("ASSAY_SIMULATED_NODE");
  return folder == nullptr ? "" : folder;
}

}  // namespace assay::machine
