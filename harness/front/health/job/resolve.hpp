// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// getaddrinfo() with a deadline, which the call itself has not.
#pragma once

#include <sys/socket.h>

#include <string>
#include <vector>

namespace assay::health {

struct SocketAddress {
  sockaddr_storage bytes = {};
  socklen_t size = 0;

  std::string text() const;  // "192.0.2.7"
};

struct Resolved {
  std::vector<SocketAddress> addresses;
  std::string why;  // there are none
};

/// A call that does not come back in time is left behind, on a thread of its own, with all that it uses.
Resolved resolve(const std::string& host, const std::string& port, double deadline_s);

}  // namespace assay::health
