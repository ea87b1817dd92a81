// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/campaign/nodes/launcher_folder.hpp"

#include <cerrno>
#include <cstdlib>

#include "harness/core/error.hpp"

namespace assay::campaign {

namespace fs = std::filesystem;

LauncherFolder::LauncherFolder(suite::Engine engine) {
  if (engine != suite::Engine::mpirun) return;
  std::string name = (fs::temp_directory_path() / "assay-mpirun-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    throw core::Error(core::ErrorKind::system, name + ": a folder for mpirun cannot be made", errno);
  path_ = name;
}

LauncherFolder::~LauncherFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

std::vector<std::string> LauncherFolder::around(const std::vector<std::string>& command) const {
  if (path_.empty()) return command;
  std::vector<std::string> words{"/usr/bin/env", "TMPDIR=" + path_.string()};
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

}  // namespace assay::campaign
