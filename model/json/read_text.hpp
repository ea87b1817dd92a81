// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The whole of a user's table.
#pragma once

#include <string>

namespace assay::model {

/// Throws a usage Error where the file cannot be read, is a folder or a device, or is longer than 512 MiB: it
/// was `expected` to be one ("a CSV file").
std::string read_text(const std::string& path, const std::string& expected);

}  // namespace assay::model
