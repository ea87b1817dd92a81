// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/transport/socket_peer.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "harness/core/error.hpp"

namespace assay::collectives {
namespace {

constexpr std::size_t header = sizeof(std::uint64_t);

/// The rest of a message: what is left of its size, then of its bytes.
template <class Message>
std::array<iovec, 2> rest_of(Message& message, std::uint64_t& size) {
  const std::size_t of_header = message.moved < header ? header - message.moved : 0;
  const std::size_t of_bytes = message.moved < header ? 0 : message.moved - header;
  std::byte* begin = message.bytes == nullptr ? nullptr : message.bytes + of_bytes;
  return {iovec{reinterpret_cast<std::byte*>(&size) + (header - of_header), of_header},
          iovec{begin, message.whole() - header - of_bytes}};
}

bool would_block(int code) { return code == EAGAIN || code == EWOULDBLOCK || code == EINTR; }

}  // namespace

void SocketPeer::connect(int rank, core::Descriptor socket) {
  rank_ = rank;
  socket_ = std::move(socket);
  const int on = 1;
  setsockopt(socket_.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  fcntl(socket_.get(), F_SETFL, fcntl(socket_.get(), F_GETFL) | O_NONBLOCK);
}

std::size_t SocketPeer::Message::whole() const { return header + expected; }

void SocketPeer::send(std::span<const std::byte> bytes) {
  // Only read from; a message of either direction has the same shape.
  sending_.push(
      {.size = bytes.size(), .expected = bytes.size(), .bytes = const_cast<std::byte*>(bytes.data())});
}

void SocketPeer::receive(std::span<std::byte> bytes) {
  receiving_.push({.expected = bytes.size(), .bytes = bytes.data()});
}

bool SocketPeer::progress() {
  const bool sent = progress_sends();
  return progress_receives() || sent;
}

bool SocketPeer::progress_sends() {
  bool moved = false;
  while (!sending_.empty()) {
    Message& message = sending_.front();
    auto rest = rest_of(message, message.size);
    msghdr parts{};
    parts.msg_iov = rest.data();
    parts.msg_iovlen = rest.size();
    const ssize_t count = sendmsg(socket_.get(), &parts, MSG_NOSIGNAL);
    if (count < 0 && would_block(errno)) return moved;
    if (count < 0) ended("does not take messages any more", errno);
    moved = true;
    message.moved += static_cast<std::size_t>(count);
    if (message.moved == message.whole()) sending_.pop();
  }
  return moved;
}

bool SocketPeer::progress_receives() {
  bool moved = false;
  while (!receiving_.empty()) {
    Message& message = receiving_.front();
    auto rest = rest_of(message, message.size);
    const ssize_t count = readv(socket_.get(), rest.data(), static_cast<int>(rest.size()));
    if (count < 0 && would_block(errno)) return moved;
    if (count <= 0) ended("closed its connection", count < 0 ? errno : 0);
    moved = true;
    message.moved += static_cast<std::size_t>(count);
    if (message.moved >= header && message.size != message.expected)
      throw core::Error(core::ErrorKind::team, fmt::format("rank {} sent {} bytes where {} were expected",
                                                           rank_, message.size, message.expected));
    if (message.moved == message.whole()) receiving_.pop();
  }
  return moved;
}

short SocketPeer::awaited_events() const {
  return static_cast<short>((sending_.empty() ? 0 : POLLOUT) | (receiving_.empty() ? 0 : POLLIN));
}

void SocketPeer::ended(const char* what, int code) const {
  throw core::Error(
      core::ErrorKind::team,
      fmt::format("rank {} {}{}{}", rank_, what, code == 0 ? "" : ": ", code == 0 ? "" : std::strerror(code)),
      code);
}

}  // namespace assay::collectives
