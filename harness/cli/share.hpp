// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A share as people write it.
#pragma once

#include <string>

namespace assay::cli {

/// "3%" or "0.03": above 0 and up to 1. Throws a usage Error naming the flag for anything else.
double share_from(const std::string& flag, const std::string& text);

}  // namespace assay::cli
