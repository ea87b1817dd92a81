// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/output/tell_warnings.hpp"

#include <iostream>

#include "harness/core/printable.hpp"

namespace assay::cli {

void print_warnings(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings)
    std::cerr << "warning: " << core::printable_message(warning) << "\n";
}

}  // namespace assay::cli
