// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/wire/tcp_socket.hpp"

#include <fmt/format.h>
#include <netdb.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <string_view>
#include <thread>
#include <vector>

#include "harness/core/error.hpp"
#include "harness/core/process/ready_within.hpp"
#include "harness/core/process/stop_request.hpp"
#include "harness/team/wire/deadline.hpp"

namespace assay::team {
namespace {

constexpr std::chrono::milliseconds refused_pause{50};

Descriptor open_socket(int family) {
  return Descriptor(socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

/// errno where the socket could not be bound to an address of that interface.
int bind_to(const Descriptor& socket, int family, const std::string& interface) {
  if (interface.empty()) return 0;
  for (const SocketAddress& local : local_addresses(interface, 0))
    if (local.family() == family) return bind(socket.get(), local.get(), local.length) == 0 ? 0 : errno;
  return EAFNOSUPPORT;
}

int wait_connected(const Descriptor& socket, double limit_s) {
  std::array waiting{pollfd{socket.get(), POLLOUT, 0}};
  const Deadline deadline(limit_s);
  int ready = 0;
  do {
    core::end_wait_at_stop_request("a connection");
    ready = core::ready_within(waiting, std::min(deadline.remaining_s(), core::look_for_stop_s));
  } while (ready == 0 && !deadline.passed());
  if (ready <= 0) return ready == 0 ? ETIMEDOUT : errno;
  int code = 0;
  socklen_t length = sizeof code;
  getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &code, &length);
  return code;
}

/// One try at one address: 0, or errno.
int try_connect(const SocketAddress& address, const std::string& interface, double limit_s,
                Descriptor& connected) {
  Descriptor socket = open_socket(address.family());
  if (!socket) return errno;
  if (const int code = bind_to(socket, address.family(), interface)) return code;
  if (connect(socket.get(), address.get(), address.length) != 0) {
    if (errno != EINPROGRESS) return errno;
    if (const int code = wait_connected(socket, limit_s)) return code;
  }
  connected = std::move(socket);
  return 0;
}

std::string in_words(int code, const std::string& interface, double limit_s) {
  switch (code) {
    case ECONNREFUSED:
      return "connection refused";
    case EHOSTUNREACH:
    case ENETUNREACH:
      return "no route";
    case ETIMEDOUT:
      return fmt::format("no answer within {:.2g} s", limit_s);
    case EAFNOSUPPORT:
      if (!interface.empty()) return fmt::format("{} has no address of the same IP version", interface);
      [[fallthrough]];
    default:
      return std::strerror(code);
  }
}

int listen_on(const SocketAddress& address, Descriptor& listening) {
  Descriptor socket = open_socket(address.family());
  if (!socket) return errno;
  const int on = 1;
  const int off = 0;
  setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (address.family() == AF_INET6) setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
  if (bind(socket.get(), address.get(), address.length) != 0) return errno;
  if (listen(socket.get(), SOMAXCONN) != 0) return errno;
  listening = std::move(socket);
  return 0;
}

/// IPv6's wildcard takes IPv4 as well; a host without IPv6 has IPv4's.
std::vector<SocketAddress> everywhere(std::uint16_t port) {
  sockaddr_in6 six{};
  six.sin6_family = AF_INET6;
  six.sin6_port = htons(port);
  sockaddr_in four{};
  four.sin_family = AF_INET;
  four.sin_port = htons(port);
  std::vector<SocketAddress> both(2);
  std::memcpy(&both[0].storage, &six, both[0].length = sizeof six);
  std::memcpy(&both[1].storage, &four, both[1].length = sizeof four);
  return both;
}

}  // namespace

Descriptor connect_to(const Address& address, const std::string& interface, double limit_s,
                      const std::string& hint) {
  const std::vector<SocketAddress> candidates = resolve(address);
  const Deadline deadline(limit_s);
  int code = ETIMEDOUT;
  while (true) {
    core::end_wait_at_stop_request("a connection");
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const double share_s = deadline.remaining_s() / static_cast<double>(candidates.size() - i);
      Descriptor connected;
      code = try_connect(candidates[i], interface, std::min(share_s, 3600.0), connected);
      if (code == 0) return connected;
    }
    // A port refuses until its program has started, and resets while too many call; all else will not get
    // better by itself.
    if ((code != ECONNREFUSED && code != ECONNRESET) || deadline.remaining_s() < 0.1) break;
    std::this_thread::sleep_for(refused_pause);
  }
  core::usage_error(fmt::format("{}: {}{}", address.host, in_words(code, interface, limit_s), hint));
}

Descriptor listen_at(const std::string& interface, std::uint16_t port) {
  int code = 0;
  for (const SocketAddress& address :
       interface.empty() ? everywhere(port) : local_addresses(interface, port)) {
    Descriptor listening;
    const int result = listen_on(address, listening);
    if (result == 0) return listening;
    if (code == 0 || result == EADDRINUSE) code = result;
  }
  const std::string where = fmt::format("{}port {}", interface.empty() ? "" : interface + " ", port);
  if (code == EADDRINUSE)
    core::usage_error(fmt::format(
        "cannot listen at {}: it is taken: is another one running here? Choose another port", where));
  if (code == EADDRNOTAVAIL)
    core::usage_error(fmt::format("cannot listen at {}: this host has no such address", where));
  core::usage_error(fmt::format("cannot listen at {}: {}", where, std::strerror(code)));
}

std::uint16_t port_of(const Descriptor& listening) {
  SocketAddress address;
  address.length = sizeof address.storage;
  getsockname(listening.get(), address.get(), &address.length);
  return ntohs(address.family() == AF_INET6
                   ? reinterpret_cast<const sockaddr_in6*>(&address.storage)->sin6_port
                   : reinterpret_cast<const sockaddr_in*>(&address.storage)->sin_port);
}

SocketAddress peer_of(int connection) {
  SocketAddress address;
  address.length = sizeof address.storage;
  if (getpeername(connection, address.get(), &address.length) != 0) return {};
  return address;
}

std::string host_text(const SocketAddress& address) {
  std::array<char, NI_MAXHOST> host{};
  if (getnameinfo(address.get(), address.length, host.data(), host.size(), nullptr, 0, NI_NUMERICHOST) != 0)
    return "?";
  const std::string text = host.data();
  constexpr std::string_view four_in_six = "::ffff:";
  return text.starts_with(four_in_six) ? text.substr(four_in_six.size()) : text;
}

Descriptor accept_from(const Descriptor& listening, SocketAddress& peer) {
  peer.length = sizeof peer.storage;
  return Descriptor(accept4(listening.get(), peer.get(), &peer.length, SOCK_CLOEXEC));
}

}  // namespace assay::team
