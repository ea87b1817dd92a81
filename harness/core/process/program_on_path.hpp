// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Programs by their names, as a shell finds them.
#pragma once

#include <string>

namespace assay::core {

/// The executable file of this name in the first folder of `path` (PATH: parted by colons) that has one; ""
/// where none has.
std::string program_on_path(const std::string& name, const std::string& path);

}  // namespace assay::core
