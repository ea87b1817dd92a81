// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A folder of files as one text, where a file goes: each below a line "==> NAME <==", as `tail -n +1 *`
// prints several.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::core {

/// The files of a folder by name, without those whose names begin with a dot; nothing where `path` is not a
/// folder. Throws a usage Error for a folder without files or with too many, and files that cannot be read.
std::optional<std::string> folder_as_text(const std::string& path);

/// folder_as_text() of a folder, and a file as it is. Throws a usage Error, too, for a file that cannot be
/// read.
std::string read_file_or_folder(const std::string& path);

struct NamedText {
  std::string name, text;
};

std::string text_of_files(const std::vector<NamedText>& files);

/// The files of such a text; none where it does not begin with such a line.
std::vector<NamedText> files_in_text(std::string_view text);

}  // namespace assay::core
