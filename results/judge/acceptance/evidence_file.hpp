// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A file of the user that records are judged by.
#pragma once

#include <optional>
#include <string>

namespace assay::results {

struct EvidenceFile {
  std::string name;
  std::optional<std::string> content = {};  // else it is in the file of that name
};

/// "lldp=cables.csv" as "lldp" and "cables.csv"; of a bundle's "topology/lldp=cables.csv" the same; of
/// "lldp=lists/" the folder is "lists". Both empty without '='.
struct TaggedName {
  std::string tag, name;
};
TaggedName tagged_name(const std::string& text);

/// One text of all that the name covers: the files of a folder, a "slurm" file with those it includes;
/// without a tag, of one file. Throws a usage Error for what cannot be read.
std::string read_tagged(const TaggedName& file);

}  // namespace assay::results
