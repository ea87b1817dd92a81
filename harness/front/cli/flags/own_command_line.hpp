// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The words that started this process, as records keep them.
#pragma once

#include <string>
#include <vector>

namespace assay::cli {

/// Empty where the system does not say.
std::vector<std::string> own_command_line();

}  // namespace assay::cli
