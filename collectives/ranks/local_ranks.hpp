// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Ranks on this host that no launcher started: copies of a process that is set apart before this one has
// threads, a CUDA context or open files. A copy costs a tenth of starting the program again.
#pragma once

#include <sys/types.h>

#include <functional>

#include "harness/core/files/descriptor.hpp"
#include "harness/team/handshake/team_key.hpp"

namespace assay::collectives {

inline constexpr const char* local_address = "127.0.0.1";  // where rank 0 listens

/// A rank's part, run in a process of its own.
struct RankWork {
  /// Runs once for each team, in the process that is then copied: work that all its ranks share.
  std::function<void()> prepare;
  /// Returns the exit code of the rank, which finds its place in the environment as a launcher would leave
  /// it.
  std::function<int()> follow;
};

class LocalRanks {
 public:
  /// Sets the process apart. Call it while this process has one thread. Throws core::Error (system).
  explicit LocalRanks(const RankWork& work);
  /// Ends the ranks, as end() does.
  ~LocalRanks();
  LocalRanks(const LocalRanks&) = delete;
  LocalRanks& operator=(const LocalRanks&) = delete;

  /// Starts ranks 1 to `size` - 1 of a team whose rank 0 listens at `port` of local_address, after
  /// ending those of an earlier team. Throws core::Error (system) where no process can be had.
  void start(int size, int port, const team::TeamKey& key);
  /// Gives the ranks 2 s to end by themselves, then kills them.
  void end();

 private:
  core::Descriptor door_;
  pid_t process_ = -1;
};

}  // namespace assay::collectives
