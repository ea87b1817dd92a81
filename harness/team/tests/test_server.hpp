// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A serving host as a process of its own on loopback, whose sessions do what the leader's orders say.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "harness/team/handshake/dial.hpp"
#include "harness/team/join/serve.hpp"

namespace assay::team::tests {

/// Follows orders until "end": gather, barrier, pid, abort, stop, hang, throw.
void follow_orders(Team& team);

Hello hello_of(const std::string& host);

class TestServer {
 public:
  explicit TestServer(const Hello& mine, ServeOptions options = {});
  ~TestServer();
  TestServer(const TestServer&) = delete;
  TestServer& operator=(const TestServer&) = delete;

  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }
  std::uint16_t port() const { return port_; }
  pid_t process() const { return process_; }
  std::string log() const;
  /// The log, once it contains this text; what there is after 15 s.
  std::string log_with(const std::string& text) const;
  /// Sends the signal and returns the exit code.
  int end(int signal);

 private:
  std::filesystem::path log_file_;
  std::uint16_t port_ = 0;
  pid_t process_ = -1;
};

/// The line that dial_team ends with; empty when there was none.
std::string failure_to_dial(const std::vector<std::string>& hosts, const Hello& mine,
                            const DialOptions& options);

/// Waits up to 15 s for a process to be gone.
bool is_gone(pid_t process);

/// The process id of each rank's session.
std::vector<pid_t> processes_of(Team& leader);

}  // namespace assay::team::tests
