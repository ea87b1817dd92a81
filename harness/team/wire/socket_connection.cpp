// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/wire/socket_connection.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/team/wire/deadline.hpp"

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

SocketConnection::SocketConnection(Descriptor socket) : socket_(std::move(socket)) {
  fcntl(socket_.get(), F_SETFL, fcntl(socket_.get(), F_GETFL) | O_NONBLOCK);
  notice_dead_hosts(socket_.get());
}

SocketConnection::SocketConnection(Descriptor socket, Handshake handshake)
    : SocketConnection(std::move(socket)) {
  handshake_ = std::move(handshake);
  reader_.set_limit(handshake_limit_bytes);
  if (const std::optional<Frame> opening = handshake_->opening()) out_ += to_bytes(*opening);
  write_out();
}

Descriptor SocketConnection::release() {
  // Who is busy measuring may leave its socket full for longer.
  set_option(socket_.get(), IPPROTO_TCP, TCP_USER_TIMEOUT, 0);
  set_option(socket_.get(), SOL_SOCKET, SO_KEEPALIVE, 0);
  why_closed_ = "is used for other traffic";
  return std::move(socket_);
}

void SocketConnection::send(Frame frame) {
  if (frame.payload.size() > frame_limit_bytes)
    throw core::Error(
        core::ErrorKind::team,
        fmt::format("a text of {} bytes is over the limit of {} bytes for one message of a team",
                    frame.payload.size(), frame_limit_bytes));
  waiting_.push_back(std::move(frame));
  fill_out();
  write_out();
}

void SocketConnection::send_last(Frame frame, double limit_s) {
  waiting_.clear();
  announced_ = false;
  if (handshake_) return;
  out_ += bytes_of(std::move(frame));
  const Deadline deadline(limit_s);
  Connection* const links[] = {this};
  write_out();
  while (!out_.empty() && why_closed_.empty() && !deadline.passed()) {
    wait_for_links(links, deadline.remaining_s());
    progress();
  }
  shutdown(socket_.get(), SHUT_WR);
}

void SocketConnection::progress() {
  read_in();
  fill_out();
  write_out();
}

std::optional<Frame> SocketConnection::receive() {
  if (in_.empty()) return std::nullopt;
  Frame frame = std::move(in_.front());
  in_.pop_front();
  return frame;
}

void SocketConnection::fill_out() {
  while (!handshake_ && !waiting_.empty() && !announced_) {
    if (waiting_.front().payload.size() > long_frame_bytes) {
      out_ += bytes_of({FrameType::announce, {}});
      announced_ = true;
      return;
    }
    out_ += bytes_of(std::move(waiting_.front()));
    waiting_.pop_front();
  }
}

std::string SocketConnection::bytes_of(Frame frame) {
  return to_bytes(sealer_ ? sealer_->seal(frame) : std::move(frame));
}

/// During the handshake no byte beyond the message that is due: what follows may be for another reader.
std::size_t SocketConnection::bytes_to_read(std::size_t most) const {
  return handshake_ ? std::min(most, reader_.missing_bytes()) : most;
}

void SocketConnection::write_out() {
  while (why_closed_.empty() && out_begin_ < out_.size()) {
    const ssize_t count =
        ::send(socket_.get(), out_.data() + out_begin_, out_.size() - out_begin_, MSG_NOSIGNAL);
    if (count < 0) {
      if (errno == EINTR) continue;
      if (errno == EAGAIN) return;
      // Bytes that the peer sent before it went are still to be read, and explain more: the next read closes.
      if (errno != EPIPE && errno != ECONNRESET) close_because(errno);
      return;
    }
    out_begin_ += static_cast<std::size_t>(count);
    moved_bytes_ += static_cast<std::size_t>(count);
  }
  if (out_begin_ < out_.size()) return;
  out_.clear();
  out_begin_ = 0;
}

void SocketConnection::read_in() {
  std::array<char, std::size_t{64} << 10> bytes;
  for (int look = 0; look < reads_per_look && why_closed_.empty(); ++look) {
    const ssize_t count = recv(socket_.get(), bytes.data(), bytes_to_read(bytes.size()), 0);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    const int code = count < 0 ? errno : 0;
    hung_up_on_ = handshake_ && (count == 0 || code == ECONNRESET || code == EPIPE);
    if (count < 0) return close_because(code);
    if (count == 0)
      return close_because(reader_.is_amid_frame()
                               ? "closed the connection in the middle of a message: its process ended"
                               : closed);
    reader_.add({bytes.data(), static_cast<std::size_t>(count)});
    moved_bytes_ += static_cast<std::size_t>(count);
    const bool was_authenticated = is_authenticated();
    take_frames();
    if (!was_authenticated && is_authenticated()) return;  // the owner decides who reads on
  }
}

void SocketConnection::take_frames() {
  try {
    while (std::optional<Frame> frame = reader_.next()) {
      if (handshake_)
        go_on_with_handshake(*frame);
      else
        take(opener_ ? opener_->open(std::move(*frame)) : std::move(*frame));
    }
  } catch (const Refused& refused) {
    refuse(refused);
  } catch (const core::Error& error) {
    close_because(fmt::format("does not speak assay's protocol ({})", error.what()));
  }
}

void SocketConnection::take(Frame frame) {
  if (frame.type == FrameType::announce) {
    out_ += bytes_of({FrameType::pull, {}});
  } else if (frame.type == FrameType::pull && announced_) {
    out_ += bytes_of(std::move(waiting_.front()));
    waiting_.pop_front();
    announced_ = false;
  } else if (frame.type != FrameType::pull) {
    in_.push_back(std::move(frame));
  }
}

void SocketConnection::go_on_with_handshake(const Frame& frame) {
  if (const std::optional<Frame> answer = handshake_->take(frame)) out_ += to_bytes(*answer);
  if (!handshake_->is_done()) return;
  FrameKeys keys = handshake_->keys();
  sealer_.emplace(std::move(keys.sending));
  opener_.emplace(std::move(keys.receiving));
  caller_ = handshake_->caller();
  secret_ = handshake_->secret();
  handshake_.reset();
  reader_.set_limit(greeting_limit_bytes + seal_bytes);
}

void SocketConnection::refuse(const Refused& refused) {
  if (const std::optional<Frame> last = refused.last_frame()) {
    out_ += to_bytes(*last);
    write_out();
  }
  refused_for_good_ = refused.is_for_good();
  if (socket_) shutdown(socket_.get(), SHUT_WR);
  close_because(refused.what());
}

void SocketConnection::close_because(const std::string& why) {
  why_closed_ = why;
  socket_.reset();
}

void SocketConnection::close_because(int code) { close_because(in_words(code)); }

}  // namespace assay::team
