// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Who calls at a listening socket, until each has proven that it holds the key. Strangers that are slow,
// silent or many cost a bounded number of sockets, bytes and handshakes a second, and keep no member waiting
// for long. Who calls too often is hung up on before a byte is read; members call again
// (SocketConnection::was_hung_up_on).
#pragma once

#include <poll.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/files/descriptor.hpp"
#include "harness/team/arrival_rates.hpp"
#include "harness/team/bounded_log.hpp"
#include "harness/team/wire/deadline.hpp"
#include "harness/team/wire/socket_connection.hpp"

namespace assay::team {

using core::Descriptor;

struct ReceptionOptions {
  double greeting_limit_s = 5;     // a caller that has not come to the point by then is dropped
  std::size_t most_callers = 256;  // not yet let in, at a time
  /// When all places are taken, the oldest caller of the host with most callers goes once it is here for
  /// this long. A host (not this one) with more than half of the places has no such grace.
  double grace_s = 0.25;
  ArrivalLimits rates{};
  std::size_t expected = 0;  // members that may all call at once
  bool loopback_only = false;
  /// A caller is handed over with the first frame it says once it is let in; else as soon as it is let in.
  bool with_first_frame = true;
  std::function<void(const std::string&)> log{};  // one line an event, of which there are at most 20 in 10 s
};

struct Guest {
  std::unique_ptr<SocketConnection> link;
  Frame first{};
};

class Reception {
 public:
  /// `make_handshake` is called for each caller: its nonce is used once.
  Reception(Descriptor listening, std::function<Handshake()> make_handshake, ReceptionOptions options);

  const Descriptor& listening() const { return listening_; }
  /// Appends what to wait for.
  void add_to(std::vector<pollfd>& waiting) const;
  bool is_empty() const { return callers_.empty(); }
  /// How long the owner may wait for what add_to() names: at most `most_ms`, -1 for as long as it takes.
  int wait_ms(int most_ms) const;
  /// Takes new callers, hears those that are here, and returns who was let in. Never blocks.
  std::vector<Guest> look();
  /// Closes everything, for a process that is to continue with one guest alone.
  void close();
  void log(const std::string& line) { log_.refused(line); }

 private:
  struct Caller {
    std::unique_ptr<SocketConnection> link;
    SocketAddress address;
    std::string host;
    bool is_of_this_host;
    Deadline deadline, grace;
  };
  struct Arrival {
    Descriptor socket;
    SocketAddress peer;
  };
  void take_callers();
  std::optional<Arrival> next_arrival(int& accepts_left);
  bool make_place();
  void let_in(Arrival arrival);
  void out_of_descriptors();
  /// True when this caller is dealt with.
  bool hear(Caller& caller, std::vector<Guest>& guests);

  Descriptor listening_;
  std::function<Handshake()> make_handshake_;
  ReceptionOptions options_;
  std::vector<Caller> callers_;     // oldest first
  std::optional<Arrival> at_door_;  // waits for a place
  ArrivalRates rates_;
  BoundedLog log_;
  bool storm_ = false;      // in this look a caller was disconnected
  Deadline door_rests_{0};  // until then no caller is taken
};

/// Listens where this key permits it: at `interface`; everywhere where that is empty and there is a key (or
/// --open); else at the loopback address `otherwise`. Throws core::Error (usage) with one line.
Descriptor listen_with_key(const TeamKey& key, const std::string& interface, std::uint16_t port,
                           const std::string& otherwise = "127.0.0.1");

}  // namespace assay::team
