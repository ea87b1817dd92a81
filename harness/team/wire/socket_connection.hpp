// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A link over a connected stream socket. With a handshake nothing but the handshake travels until both ends
// have proven that they hold the same key, and every frame after it is sealed. A long frame is announced
// first and sent when the peer asks for it: a peer that is busy measuring never holds a full socket, which
// TCP could not distinguish from a dead one.
#pragma once

#include <deque>
#include <string>
#include <string_view>

#include "harness/core/files/descriptor.hpp"
#include "harness/team/handshake/handshake.hpp"
#include "harness/team/wire/connection.hpp"
#include "harness/team/wire/sealed_frame.hpp"

namespace assay::team {

using core::Descriptor;

/// How long a host may be dead or cut off before its links say so.
inline constexpr int host_death_s = 10;

class SocketConnection final : public Connection {
 public:
  /// Takes a connected socket, makes it non-blocking and sets what notices a dead host.
  /// For sockets that no stranger can reach.
  explicit SocketConnection(Descriptor socket);
  /// Frames given to send() wait until the handshake is done.
  SocketConnection(Descriptor socket, Handshake handshake);

  bool is_authenticated() const { return !handshake_; }
  /// The handshake failed, and trying again does not help.
  bool is_refused_for_good() const { return refused_for_good_; }
  /// The listener ended the connection amid the handshake without a word: it had too many callers, and hears
  /// one of the next.
  bool was_hung_up_on() const { return hung_up_on_; }
  /// The caller's rank as it said when it was let in; the secret that both ends hold.
  int caller() const { return caller_; }
  const std::string& secret() const { return secret_; }
  /// Both ways, since it was made.
  std::size_t moved_bytes() const { return moved_bytes_; }
  /// The socket itself, authenticated, for traffic of another kind: nothing of that has been read yet.
  Descriptor release();

  void send(Frame frame) override;
  void send_last(Frame frame, double limit_s) override;
  void progress() override;
  bool all_sent() const override { return waiting_.empty() && out_.empty(); }
  std::optional<Frame> receive() override;
  std::string why_closed() const override { return why_closed_; }
  void trust() override { reader_.set_limit(frame_limit_bytes + seal_bytes); }
  int descriptor() const override { return why_closed_.empty() ? socket_.get() : -1; }
  bool wants_to_write() const override { return !out_.empty(); }

 private:
  void fill_out();
  void write_out();
  void read_in();
  void take_frames();
  void take(Frame frame);
  void go_on_with_handshake(const Frame& frame);
  std::string bytes_of(Frame frame);
  std::size_t bytes_to_read(std::size_t most) const;
  void refuse(const Refused& refused);
  void close_because(const std::string& why);
  void close_because(int code);

  Descriptor socket_;
  FrameReader reader_;
  std::optional<Handshake> handshake_;  // until it is done
  std::optional<FrameSealer> sealer_;
  std::optional<FrameOpener> opener_;
  std::size_t moved_bytes_ = 0;
  bool refused_for_good_ = false;
  bool hung_up_on_ = false;
  int caller_ = -1;
  std::string secret_;
  std::deque<Frame> waiting_;  // not yet in out_
  bool announced_ = false;     // the first of waiting_ is long and the peer knows
  std::string out_;
  std::size_t out_begin_ = 0;
  std::deque<Frame> in_;
  std::string why_closed_;
};

}  // namespace assay::team
