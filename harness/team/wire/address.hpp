// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The address of a member: a name or an address of IPv4 or IPv6, and a port.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdint>
#include <string>
#include <vector>

namespace assay::team {

inline constexpr std::uint16_t default_port = 18540;

struct Address {
  std::string host;
  std::uint16_t port = default_port;
};

/// "h1", "h1:18541", "10.0.0.1:18541", "fe80::1%eth0", "[fe80::1%eth0]:18541".
/// Throws core::Error (usage) for an empty host or a port outside 1..65535.
Address address_from(const std::string& text, std::uint16_t port = default_port);

struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t length = 0;

  int family() const { return storage.ss_family; }
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
  sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage); }
};

/// 127.0.0.0/8 and ::1, also where IPv6 carries IPv4.
bool is_loopback(const SocketAddress& address);

/// All of a name's addresses. Throws core::Error (usage) when the name does not resolve.
std::vector<SocketAddress> resolve(const Address& address);

/// Addresses of this host to bind to: those of an interface ("eth0"), IPv4 first, or of an address or name of
/// this host. Throws core::Error (usage) when it is neither.
std::vector<SocketAddress> local_addresses(const std::string& interface_or_address, std::uint16_t port);

}  // namespace assay::team
