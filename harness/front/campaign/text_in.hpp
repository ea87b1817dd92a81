// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What a file of the campaign's folder says, where it is there.
#pragma once

#include <filesystem>
#include <string>

namespace assay::campaign {

/// All of it; "" where it cannot be read.
std::string text_in(const std::filesystem::path& file);
/// The last line that is not blank, shortened to a line for people.
std::string last_line_in(const std::filesystem::path& file);

}  // namespace assay::campaign
