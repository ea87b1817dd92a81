// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A file that is there whole or not at all: who reads it never meets half of it.
#pragma once

#include <string>
#include <string_view>

namespace assay::core {

/// Written beside its place and then renamed, over what was there. Throws a usage Error naming the file,
/// which is then as it was.
void write_whole_file(const std::string& file, std::string_view bytes);

}  // namespace assay::core
