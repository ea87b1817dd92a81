// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The way to one other member: frames, in order, never blocking. Sockets and MPI each have one.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "harness/team/wire/frame.hpp"

namespace assay::team {

class Connection {
 public:
  Connection() = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  virtual ~Connection() = default;

  /// Takes the frame and hands over what goes now. The rest goes with progress(), until all_sent().
  virtual void send(Frame frame) = 0;
  /// Gives up what still waits, and tries for `limit_s` to bring this last frame across. Never throws.
  virtual void send_last(Frame frame, double limit_s) = 0;
  /// Moves what can be moved without waiting. A link that breaks says so in why_closed().
  virtual void progress() = 0;
  virtual bool all_sent() const = 0;
  /// The next frame that has come, none when there is none yet.
  virtual std::optional<Frame> receive() = 0;
  /// Empty while open, else the clause that follows the peer's name: "closed the connection: its process
  /// ended".
  virtual std::string why_closed() const = 0;
  /// Both sides have greeted: frames may be long from here on.
  virtual void trust() = 0;

  /// A descriptor for poll(); -1 where there is nothing to wait for (closed, or a link that must be asked).
  virtual int descriptor() const { return -1; }
  virtual bool wants_to_write() const { return false; }
};

/// Returns when one of the links may have moved on, or after `limit_s`.
void wait_for_links(std::span<Connection* const> links, double limit_s);

/// The next frame of one link within `limit_s`; none when the time is up or the link closed.
std::optional<Frame> receive_within(Connection& link, double limit_s);

}  // namespace assay::team
