// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace assay::cli {

/// Prints each warning about what a result rests on as a line on standard error.
void print_warnings(const std::vector<std::string>& warnings);

}  // namespace assay::cli
