// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Connecting and listening over TCP, each with one line that says why it did not work.
#pragma once

#include <cstdint>
#include <string>

#include "harness/core/files/descriptor.hpp"
#include "harness/team/wire/address.hpp"

namespace assay::team {

using core::Descriptor;

/// Connected within `limit_s`, trying again while the port refuses. `interface` (or a local address), unless
/// empty, is where the connection leaves from. Throws core::Error (usage) with one line, "h9: no answer
/// within 5 s" and `hint`.
Descriptor connect_to(const Address& address, const std::string& interface, double limit_s,
                      const std::string& hint);

/// Listens at an interface or local address, everywhere (IPv4 and IPv6) when empty; port 0 takes a free one.
/// Throws core::Error (usage) where the port is taken or the address is not of this host.
Descriptor listen_at(const std::string& interface, std::uint16_t port);

std::uint16_t port_of(const Descriptor& listening);

/// The address of the other end of a connection.
SocketAddress peer_of(int connection);
inline SocketAddress peer_of(const Descriptor& connection) { return peer_of(connection.get()); }
/// "10.0.0.1", "::1", without a port.
std::string host_text(const SocketAddress& address);

/// The next connection that waits and where it comes from; none when there is none, or errno says why.
Descriptor accept_from(const Descriptor& listening, SocketAddress& peer);

}  // namespace assay::team
