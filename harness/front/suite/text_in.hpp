// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The text of a file of a run or campaign, where it is there.
#pragma once

#include <filesystem>
#include <string>

namespace assay::suite {

/// All of it; "" where it cannot be read.
std::string text_in(const std::filesystem::path& file);
/// The last line that is not blank, shortened to a line for people.
std::string last_line_in(const std::filesystem::path& file);

}  // namespace assay::suite
