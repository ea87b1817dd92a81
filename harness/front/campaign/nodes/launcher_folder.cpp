// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/campaign/nodes/launcher_folder.hpp"

namespace assay::campaign {

LauncherFolder::LauncherFolder(suite::Engine engine) {
  if (engine == suite::Engine::mpirun) folder_.emplace("mpirun");
}

std::vector<std::string> LauncherFolder::around(const std::vector<std::string>& command) const {
  if (!folder_) return command;
  std::vector<std::string> words{"/usr/bin/env", "TMPDIR=" + folder_->path().string()};
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

}  // namespace assay::campaign
