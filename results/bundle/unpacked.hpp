// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Members of a bundle as files, for what reads files; gone with this, and after a kill at the next start.
#pragma once

#include <filesystem>

#include "results/bundle/tar.hpp"

namespace assay::results {

class Unpacked {
 public:
  /// Removes what processes left that did not live to. Throws std::system_error.
  Unpacked();
  ~Unpacked();
  Unpacked(const Unpacked&) = delete;
  Unpacked& operator=(const Unpacked&) = delete;

  /// Where the member lies now. Throws std::runtime_error where it cannot be written.
  std::filesystem::path add(const Member& member);
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
  int lock_ = -1;  // held while this process lives: its folder is in use
};

}  // namespace assay::results
