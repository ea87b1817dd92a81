// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace assay::cli {

/// What a result rests on that it should not: a line each on standard error.
void tell_warnings(const std::vector<std::string>& warnings);

}  // namespace assay::cli
