// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Rank 0 of a team whose other ranks are processes that it starts on this host itself: this program again,
// with the same arguments and torchrun-style variables.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "harness/team/forwarding_team.hpp"
#include "harness/team/hello.hpp"
#include "harness/team/team_key.hpp"

namespace assay::collectives {

/// The processes; they do not outlive this one.
class LocalProcesses {
 public:
  LocalProcesses() = default;
  /// Given 2 s to end by themselves, then killed.
  ~LocalProcesses();
  LocalProcesses(const LocalProcesses&) = delete;
  LocalProcesses& operator=(const LocalProcesses&) = delete;

  /// Throws core::Error (system) where no process can be had.
  void start(int rank, int size, int port, const team::TeamKey& key,
             const std::vector<std::string>& arguments);

 private:
  std::vector<pid_t> running_;
};

class LocalTeam final : public team::ForwardingTeam {
 public:
  /// `mine` must be what the started ranks say too. Throws core::Error where they do not come.
  /// Ranks prove a key to each other: the user's, else one drawn here.
  LocalTeam(int size, const team::Hello& mine, const std::vector<std::string>& arguments,
            const team::KeyFlags& key_flags = {});

  ~LocalTeam() override { leave(); }  // before the processes, which then end by themselves

 private:
  LocalProcesses processes_;
};

}  // namespace assay::collectives
