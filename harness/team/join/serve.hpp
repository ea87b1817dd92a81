// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The followers' way to a team: wait for a leader, and give each a fresh process.
#pragma once

#include <csignal>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harness/core/files/descriptor.hpp"
#include "harness/team/handshake/hello.hpp"
#include "harness/team/handshake/reception.hpp"
#include "harness/team/join/session_process.hpp"
#include "harness/team/team.hpp"
#include "harness/team/wire/address.hpp"
#include "harness/team/wire/socket_connection.hpp"

namespace assay::team {

using core::Descriptor;

struct ServeOptions {
  std::string
      interface{};  // or local address to listen at; empty: everywhere, without a key on loopback only
  TeamKey key{};
  std::uint16_t port = default_port;
  double greeting_limit_s = 5;  // a caller that says nothing is dropped after this
  ArrivalLimits rates{};
  double leader_gone_grace_s = 10;                // a session that outlives its leader longer is killed
  std::function<void(const std::string&)> log{};  // one line an event; empty: standard error
};

using Session = std::function<void(Team&)>;

class Server {
 public:
  /// Listens from here on. Throws core::Error (usage) where it cannot.
  Server(ServeOptions options, Hello mine);
  std::uint16_t port() const;
  /// Runs `session` for one leader at a time, each in a process of its own, until SIGTERM, SIGINT or SIGHUP
  /// comes; returns that signal, with no session left behind. The caller has no other threads.
  int run(const Session& session);

 private:
  void wait_for_events();
  void watch_session();
  void answer(Guest guest, const Session& session);
  void begin(std::unique_ptr<SocketConnection> link, const std::string& leader, const Session& session);
  bool be_session(std::unique_ptr<SocketConnection> link, const std::string& leader, const Session& session);
  void log(const std::string& line) const;

  ServeOptions options_;
  Hello mine_;
  Reception reception_;
  Descriptor signals_;
  sigset_t mask_before_{};
  std::unique_ptr<SessionProcess> running_;
};

}  // namespace assay::team
