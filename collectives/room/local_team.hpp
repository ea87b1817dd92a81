// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Rank 0 of a team whose other ranks are processes that it starts on this host itself: this program again,
// with the same arguments and torchrun-style variables.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "harness/team/hello.hpp"
#include "harness/team/team.hpp"

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
  void start(int rank, int size, int port, const std::vector<std::string>& arguments);

 private:
  std::vector<pid_t> running_;
};

class LocalTeam final : public team::Team {
 public:
  /// `mine` must be what the started ranks say too. Throws core::Error where they do not come.
  LocalTeam(int size, const team::Hello& mine, const std::vector<std::string>& arguments);

  int rank() const override { return 0; }
  int size() const override { return team_->size(); }
  std::string host_of(int rank) const override { return team_->host_of(rank); }
  std::string broadcast(std::string text, double limit_s) override {
    return team_->broadcast(std::move(text), limit_s);
  }
  std::vector<std::string> gather(std::string text, double limit_s) override {
    return team_->gather(std::move(text), limit_s);
  }
  void arrive() override { team_->arrive(); }
  bool all_arrived() override { return team_->all_arrived(); }
  void rest(double limit_s) override { team_->rest(limit_s); }

 private:
  LocalProcesses processes_;  // end after the team has: they then see that nobody leads them
  std::unique_ptr<team::Team> team_;
};

}  // namespace assay::collectives
