// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A server of one port of 127.0.0.1, without a thread of its own: whoever connects waits in its queue.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <stdexcept>
#include <string>

#include "harness/core/files/descriptor.hpp"

namespace assay::health {

inline constexpr double patience_s = 20;  // for an answer that comes

class Listener {
 public:
  Listener() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    socklen_t size = sizeof(address);
    if (::bind(socket_.get(), any, size) != 0 || ::listen(socket_.get(), 4) != 0 ||
        ::getsockname(socket_.get(), any, &size) != 0)
      throw std::runtime_error("no port to listen on");
    port_ = ntohs(address.sin_port);
  }
  std::string address(const std::string& scheme = "http") const {
    return scheme + "://127.0.0.1:" + std::to_string(port_);
  }
  core::Descriptor accept() const { return core::Descriptor(::accept(socket_.get(), nullptr, nullptr)); }

 private:
  core::Descriptor socket_;
  int port_ = 0;
};

}  // namespace assay::health
