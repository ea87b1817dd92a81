// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/files/scratch_folder.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "harness/core/error.hpp"

namespace assay::core {

ScratchFolder::ScratchFolder(const std::string& purpose) {
  std::string name =
      (std::filesystem::temp_directory_path() / fmt::format("assay-{}-XXXXXX", purpose)).string();
  if (::mkdtemp(name.data()) == nullptr)
    throw Error(ErrorKind::system, fmt::format("{}: a folder for {} cannot be made", name, purpose), errno);
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace assay::core
