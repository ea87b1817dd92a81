// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/acceptance/evidence_file.hpp"

#include "harness/core/files/folder_text.hpp"
#include "harness/core/files/whole_file.hpp"
#include "harness/core/text/slurm_text.hpp"

namespace assay::results {

TaggedName tagged_name(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return {};
  const std::string before = text.substr(0, equals);
  const std::size_t folder = before.rfind('/');
  std::string name = text.substr(equals + 1);
  while (name.size() > 1 && name.ends_with('/')) name.pop_back();
  return {folder == std::string::npos ? before : before.substr(folder + 1), name};
}

std::string read_tagged(const TaggedName& file) {
  if (file.tag.empty()) return core::read_whole_file(file.name);
  return file.tag == "slurm" ? core::read_slurm_file(file.name) : core::read_file_or_folder(file.name);
}

}  // namespace assay::results
