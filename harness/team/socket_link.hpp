// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A link over a connected stream socket. A long frame is announced first and sent when the peer asks for it:
// a peer that is busy measuring never holds a full socket, which TCP could not tell from a dead one.
#pragma once

#include <deque>
#include <string>
#include <string_view>

#include "harness/core/descriptor.hpp"
#include "harness/team/link.hpp"

namespace assay::team {

using core::Descriptor;

/// How long a host may be dead or cut off before its links say so.
inline constexpr int host_death_s = 10;

class SocketLink final : public Link {
 public:
  /// Takes a connected socket, makes it non-blocking and sets what notices a dead host.
  explicit SocketLink(Descriptor socket);

  void send(Frame frame) override;
  void send_last(Frame frame, double limit_s) override;
  void progress() override;
  bool all_sent() const override { return waiting_.empty() && out_.empty(); }
  std::optional<Frame> receive() override;
  std::string why_closed() const override { return why_closed_; }
  void trust() override { reader_.set_limit(frame_limit_bytes); }
  int descriptor() const override { return why_closed_.empty() ? socket_.get() : -1; }
  bool wants_to_write() const override { return !out_.empty(); }

 private:
  void fill_out();
  void write_out();
  void read_in();
  void take_frames();
  void close_because(const std::string& why);
  void close_because(int code);

  Descriptor socket_;
  FrameReader reader_;
  std::deque<Frame> waiting_;  // not yet in out_
  bool announced_ = false;     // the first of waiting_ is long and the peer knows
  std::string out_;
  std::size_t out_begin_ = 0;
  std::deque<Frame> in_;
  std::string why_closed_;
};

}  // namespace assay::team
