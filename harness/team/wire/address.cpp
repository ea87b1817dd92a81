// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/wire/address.hpp"

#include <fmt/format.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "harness/core/error.hpp"
#include "harness/core/files/handle.hpp"

namespace assay::team {
namespace {

using Resolved = core::Handle<addrinfo*, freeaddrinfo>;
using Interfaces = core::Handle<ifaddrs*, freeifaddrs>;

std::uint16_t port_from(const std::string& digits, const std::string& text) {
  unsigned port = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (problem != std::errc() || end != digits.data() + digits.size() || port < 1 || port > 65535)
    core::usage_error(
        fmt::format("address '{}': '{}' is not a port; a port is 1..65535, as in h1:18540", text, digits));
  return static_cast<std::uint16_t>(port);
}

SocketAddress copy_of(const sockaddr* address, std::uint16_t port) {
  SocketAddress copy;
  copy.length = address->sa_family == AF_INET6 ? sizeof(sockaddr_in6) : sizeof(sockaddr_in);
  std::memcpy(&copy.storage, address, copy.length);
  if (address->sa_family == AF_INET6)
    reinterpret_cast<sockaddr_in6*>(&copy.storage)->sin6_port = htons(port);
  else
    reinterpret_cast<sockaddr_in*>(&copy.storage)->sin_port = htons(port);
  return copy;
}

std::vector<SocketAddress> addresses_of_interface(const std::string& name, std::uint16_t port) {
  ifaddrs* listed = nullptr;
  if (getifaddrs(&listed) != 0) return {};
  const Interfaces owner(listed);
  std::vector<SocketAddress> found;
  for (const int family : {AF_INET, AF_INET6})
    for (const ifaddrs* entry = listed; entry != nullptr; entry = entry->ifa_next)
      if (entry->ifa_addr != nullptr && entry->ifa_addr->sa_family == family && name == entry->ifa_name)
        found.push_back(copy_of(entry->ifa_addr, port));
  return found;
}

}  // namespace

Address address_from(const std::string& text, std::uint16_t port) {
  Address address{text, port};
  if (text.starts_with('[')) {
    const std::size_t close = text.find(']');
    if (close == std::string::npos || (close + 1 < text.size() && text[close + 1] != ':'))
      core::usage_error(fmt::format("address '{}': expected [ADDRESS] or [ADDRESS]:PORT", text));
    address.host = text.substr(1, close - 1);
    if (close + 1 < text.size()) address.port = port_from(text.substr(close + 2), text);
  } else if (std::count(text.begin(), text.end(), ':') == 1) {  // more colons: IPv6 without a port
    const std::size_t colon = text.find(':');
    address.host = text.substr(0, colon);
    address.port = port_from(text.substr(colon + 1), text);
  }
  if (address.host.empty())
    core::usage_error(
        fmt::format("address '{}' names no host; expected HOST or HOST:PORT, as in h1:18540", text));
  return address;
}

bool is_loopback(const SocketAddress& address) {
  constexpr std::uint32_t first_byte = 0xff000000, loopback = 0x7f000000;
  if (address.family() == AF_INET) {
    const auto& four = reinterpret_cast<const sockaddr_in&>(address.storage);
    return (ntohl(four.sin_addr.s_addr) & first_byte) == loopback;
  }
  if (address.family() != AF_INET6) return false;
  const auto& six = reinterpret_cast<const sockaddr_in6&>(address.storage).sin6_addr;
  return IN6_IS_ADDR_LOOPBACK(&six) || (IN6_IS_ADDR_V4MAPPED(&six) && six.s6_addr[12] == 127);
}

std::vector<SocketAddress> resolve(const Address& address) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* listed = nullptr;
  const int code = getaddrinfo(address.host.c_str(), nullptr, &wanted, &listed);
  const Resolved owner(listed);
  if (code != 0)
    core::usage_error(
        fmt::format("{}: this name does not resolve to an address ({}): check its spelling, or give "
                    "the address itself",
                    address.host, gai_strerror(code)));
  std::vector<SocketAddress> found;
  for (const addrinfo* entry = listed; entry != nullptr; entry = entry->ai_next)
    if (entry->ai_family == AF_INET || entry->ai_family == AF_INET6)
      found.push_back(copy_of(entry->ai_addr, address.port));
  return found;
}

std::vector<SocketAddress> local_addresses(const std::string& interface_or_address, std::uint16_t port) {
  if (if_nametoindex(interface_or_address.c_str()) == 0) return resolve({interface_or_address, port});
  std::vector<SocketAddress> found = addresses_of_interface(interface_or_address, port);
  if (found.empty())
    core::usage_error(fmt::format("interface {} has no IP address: give it one, or choose another interface",
                                  interface_or_address));
  return found;
}

}  // namespace assay::team
