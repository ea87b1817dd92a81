// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One leader's run at a serving host: a process of its own, so that nothing it does ends the server, and that
// does not outlive its leader for long.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>

#include "harness/core/files/descriptor.hpp"
#include "harness/team/wire/deadline.hpp"

namespace assay::team {

using core::Descriptor;

class SessionProcess {
 public:
  /// Forks: `body` runs in the new process, whose exit code is 0, or 1 when `body` returns false.
  /// `leader_socket` is watched from here too: a session that measures may not look at it for long. Throws
  /// core::Error (system) when there is no process to be had.
  SessionProcess(std::string leader, int leader_socket, const std::function<bool()>& body);
  /// SIGTERM, and 2 s later SIGKILL, for it and what it started.
  ~SessionProcess();
  SessionProcess(const SessionProcess&) = delete;
  SessionProcess& operator=(const SessionProcess&) = delete;

  const std::string& leader() const { return leader_; }
  /// To poll for POLLRDHUP; -1 once the leader is known to be gone.
  int leader_socket() const { return leader_gone_ ? -1 : leader_socket_.get(); }
  /// How it ended, in words that follow "the run"; none while it lasts. Kills it `grace_s` after its leader
  /// went.
  std::optional<std::string> ending(double grace_s);

 private:
  bool reap(int flags);
  void watch_leader(double grace_s);

  std::string leader_;
  Descriptor leader_socket_;
  pid_t process_ = -1;
  int status_ = 0;
  bool reaped_ = false;
  std::optional<Deadline> leader_gone_;
  bool killed_ = false;
};

}  // namespace assay::team
