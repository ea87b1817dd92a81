// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Slurm's configuration files, each with those that it includes.
#pragma once

#include <string>
#include <vector>

namespace assay::core {

/// The file as it is, or one text of it and of all files that it includes (folder_text.hpp), named from its
/// folder. Throws a usage Error for files that cannot be read, and for more than 64 of them.
std::string read_slurm_file(const std::string& path);

/// Without its remark, and whole where backslashes continue it.
struct SlurmLine {
  std::string text, place;  // "topology.conf:3", of its first part
};

/// The lines of what read_slurm_file(file) gave, those of an included file instead of its `include`; no empty
/// ones. Throws a usage Error for files that `text` lacks, and for more than 64 inclusions.
std::vector<SlurmLine> slurm_lines(const std::string& text, const std::string& file);

}  // namespace assay::core
