// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The drive and file system that a folder lies on, as the kernel names them.
#pragma once

#include <filesystem>
#include <string>

#include "harness/machine/tree.hpp"

namespace assay::offload {

struct Drive {
  std::string file_system;  // "ext4"; empty: not found
  std::string source;       // "/dev/nvme0n1p1", "tmpfs", "server:/export"
  std::string model;        // "SAMSUNG MZQL23T8HCLS-00A07"; of several, joined by " + "; empty: not stated
};

/// `folder` as the kernel resolves it: absolute, without links.
Drive drive_of(const std::filesystem::path& folder, const machine::Tree& tree);

}  // namespace assay::offload
