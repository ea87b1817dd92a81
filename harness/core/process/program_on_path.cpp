// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/process/program_on_path.hpp"

#include <unistd.h>

#include <filesystem>
#include <sstream>

namespace assay::core {

std::string program_on_path(const std::string& name, const std::string& path) {
  std::stringstream folders(path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::filesystem::path program = std::filesystem::path(folder.empty() ? "." : folder) / name;
    if (std::filesystem::is_regular_file(program) && ::access(program.c_str(), X_OK) == 0)
      return program.string();
  }
  return "";
}

}  // namespace assay::core
