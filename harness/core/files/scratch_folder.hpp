// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A folder in the system's temporary one, gone with everything in it.
#pragma once

#include <filesystem>
#include <string>

namespace assay::core {

class ScratchFolder {
 public:
  /// Makes "assay-PURPOSE-XXXXXX". Throws a system Error that names it.
  explicit ScratchFolder(const std::string& purpose);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace assay::core
