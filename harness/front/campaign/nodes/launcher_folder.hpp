// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A folder for the files of one launcher.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/core/files/scratch_folder.hpp"
#include "harness/front/suite/processes/launcher.hpp"

namespace assay::campaign {

/// Open MPI's mpirun keeps its files in one folder a user and host, below TMPDIR: the first makes it, the
/// last removes it, and of two that start at that moment one fails (github.com/open-mpi/ompi/issues/8510).
/// Where many start at once, each has a TMPDIR to itself. Other launchers keep what they have: srun hands its
/// environment on to nodes that lack this folder.
class LauncherFolder {
 public:
  /// Throws core::Error(system) where the folder cannot be made. It goes with what a launcher that was
  /// killed left there.
  explicit LauncherFolder(suite::Engine engine);

  /// `command`, started with this folder; unchanged where there is none.
  std::vector<std::string> around(const std::vector<std::string>& command) const;

 private:
  std::optional<core::ScratchFolder> folder_;  // none where the launcher needs none
};

}  // namespace assay::campaign
