// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/tell_warnings.hpp"

#include <iostream>

namespace assay::cli {

void tell_warnings(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) std::cerr << "warning: " << warning << "\n";
}

}  // namespace assay::cli
