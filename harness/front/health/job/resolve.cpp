// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/health/job/resolve.hpp"

#include <fmt/format.h>
#include <netdb.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <future>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>

#include "harness/core/files/handle.hpp"

namespace assay::health {
namespace {

Resolved resolved(const std::string& host, const std::string& port) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* listed = nullptr;
  const int code = ::getaddrinfo(host.c_str(), port.empty() ? nullptr : port.c_str(), &wanted, &listed);
  const core::Handle<addrinfo*, ::freeaddrinfo> owned(listed);
  if (code != 0)
    return {{}, code == EAI_SYSTEM ? std::generic_category().message(errno) : ::gai_strerror(code)};
  Resolved found;
  for (const addrinfo* one = listed; one != nullptr; one = one->ai_next) {
    SocketAddress& address = found.addresses.emplace_back();
    std::memcpy(&address.bytes, one->ai_addr, one->ai_addrlen);
    address.size = one->ai_addrlen;
  }
  return found;
}

}  // namespace

std::string SocketAddress::text() const {
  std::array<char, NI_MAXHOST> host{};
  const auto* const address = reinterpret_cast<const sockaddr*>(&bytes);
  const bool named = ::getnameinfo(address, size, host.data(), host.size(), nullptr, 0, NI_NUMERICHOST) == 0;
  return named ? host.data() : "an address";
}

Resolved resolve(const std::string& host, const std::string& port, double deadline_s) {
  std::packaged_task<Resolved()> task([host, port] { return resolved(host, port); });
  std::future<Resolved> answer = task.get_future();
  std::thread(std::move(task)).detach();
  if (answer.wait_for(std::chrono::duration<double>(deadline_s)) == std::future_status::ready)
    return answer.get();
  return {{}, fmt::format("the resolver does not answer within {:g} s", deadline_s)};
}

}  // namespace assay::health
