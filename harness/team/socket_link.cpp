// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/socket_link.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/team/deadline.hpp"

namespace assay::team {
namespace {

// Fits into every socket's buffers, whether the peer reads or not.
constexpr std::size_t long_frame_bytes = std::size_t{16} << 10;
// One link's share of one look, so that a long text of one peer does not starve the others.
constexpr int reads_per_look = 64;

void set_option(int socket, int level, int name, int value) {
  setsockopt(socket, level, name, &value, sizeof value);  // a socket pair knows none of TCP's: let it
}

// Keepalive probes an idle connection (4 s, then 3 times every 2 s), the user timeout bounds unanswered data.
void notice_dead_hosts(int socket) {
  set_option(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
  set_option(socket, IPPROTO_TCP, TCP_KEEPIDLE, 4);
  set_option(socket, IPPROTO_TCP, TCP_KEEPINTVL, 2);
  set_option(socket, IPPROTO_TCP, TCP_KEEPCNT, 3);
  set_option(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, host_death_s * 1000);
  set_option(socket, IPPROTO_TCP, TCP_NODELAY, 1);
}

constexpr const char* closed = "closed the connection: its process ended";

std::string in_words(int code) {
  switch (code) {
    case ECONNRESET:
    case EPIPE:
      return closed;  // with something unread
    case ETIMEDOUT:
    case EHOSTUNREACH:
    case ENETUNREACH:
    case EHOSTDOWN:
      return fmt::format("did not answer for {} s: its host is down or the network between is cut",
                         host_death_s);
    default:
      return fmt::format("cannot be reached any more: {}", std::strerror(code));
  }
}

}  // namespace

SocketLink::SocketLink(Descriptor socket) : socket_(std::move(socket)) {
  fcntl(socket_.get(), F_SETFL, fcntl(socket_.get(), F_GETFL) | O_NONBLOCK);
  notice_dead_hosts(socket_.get());
}

void SocketLink::send(Frame frame) {
  if (frame.payload.size() > frame_limit_bytes)
    throw core::Error(
        core::ErrorKind::team,
        fmt::format("a text of {} bytes is over the limit of {} bytes for one message of a team",
                    frame.payload.size(), frame_limit_bytes));
  waiting_.push_back(std::move(frame));
  fill_out();
  write_out();
}

void SocketLink::send_last(Frame frame, double limit_s) {
  waiting_.clear();
  announced_ = false;
  out_ += to_bytes(frame);
  const Deadline deadline(limit_s);
  Link* const links[] = {this};
  write_out();
  while (!out_.empty() && why_closed_.empty() && !deadline.passed()) {
    wait_for_links(links, deadline.remaining_s());
    progress();
  }
  shutdown(socket_.get(), SHUT_WR);
}

void SocketLink::progress() {
  read_in();
  fill_out();
  write_out();
}

std::optional<Frame> SocketLink::receive() {
  if (in_.empty()) return std::nullopt;
  Frame frame = std::move(in_.front());
  in_.pop_front();
  return frame;
}

void SocketLink::fill_out() {
  while (!waiting_.empty() && !announced_) {
    if (waiting_.front().payload.size() > long_frame_bytes) {
      out_ += to_bytes({FrameType::announce, {}});
      announced_ = true;
      return;
    }
    out_ += to_bytes(waiting_.front());
    waiting_.pop_front();
  }
}

void SocketLink::write_out() {
  while (why_closed_.empty() && out_begin_ < out_.size()) {
    const ssize_t count =
        ::send(socket_.get(), out_.data() + out_begin_, out_.size() - out_begin_, MSG_NOSIGNAL);
    if (count < 0) {
      if (errno == EINTR) continue;
      if (errno == EAGAIN) return;
      // What the peer sent before it went is still to be read, and tells more: the next read closes.
      if (errno != EPIPE && errno != ECONNRESET) close_because(errno);
      return;
    }
    out_begin_ += static_cast<std::size_t>(count);
  }
  if (out_begin_ < out_.size()) return;
  out_.clear();
  out_begin_ = 0;
}

void SocketLink::read_in() {
  std::array<char, std::size_t{64} << 10> bytes;
  for (int look = 0; look < reads_per_look && why_closed_.empty(); ++look) {
    const ssize_t count = recv(socket_.get(), bytes.data(), bytes.size(), 0);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count < 0) return close_because(errno);
    if (count == 0)
      return close_because(reader_.is_amid_frame()
                               ? "closed the connection in the middle of a message: its process ended"
                               : closed);
    reader_.add({bytes.data(), static_cast<std::size_t>(count)});
    take_frames();
  }
}

void SocketLink::take_frames() {
  try {
    while (std::optional<Frame> frame = reader_.next()) {
      if (frame->type == FrameType::announce) {
        out_ += to_bytes({FrameType::pull, {}});
      } else if (frame->type == FrameType::pull && announced_) {
        out_ += to_bytes(waiting_.front());
        waiting_.pop_front();
        announced_ = false;
      } else if (frame->type != FrameType::pull) {
        in_.push_back(std::move(*frame));
      }
    }
  } catch (const core::Error& error) {
    close_because(fmt::format("does not speak assay's protocol ({})", error.what()));
  }
}

void SocketLink::close_because(const std::string& why) {
  why_closed_ = why;
  socket_.reset();
}

void SocketLink::close_because(int code) { close_because(in_words(code)); }

}  // namespace assay::team
