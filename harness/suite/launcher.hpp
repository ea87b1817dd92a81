// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Who starts the ranks of a room that has several: the room itself, or the engine a cluster already has.
// Commands are composed for that engine; nothing here logs in to a node.
#pragma once

#include <string>
#include <vector>

namespace assay::suite {

struct Launch {
  std::string launcher = "local";       // local | mpirun | srun
  int ranks = 0;                        // 0: the room's default, or as many as srun's step has
  std::vector<std::string> words = {};  // the user's own for the launcher: -N 2 --mpi=pmix

  bool outside() const { return launcher != "local"; }
};

/// Whether `room` has ranks that a launcher may start.
bool is_launched(const Launch& launch, const std::string& room);

/// What stands before the room's program; empty for rooms and launches that start it directly. Throws
/// core::Error (usage) where the launcher is not installed.
std::vector<std::string> launch_command(const Launch& launch, const std::string& room);

/// What the room's program is told of its ranks.
std::vector<std::string> rank_flags(const Launch& launch, const std::string& room);

/// Throws core::Error (usage) for a launcher that is none, ranks below 0, words without a launcher.
void check(const Launch& launch);

}  // namespace assay::suite
