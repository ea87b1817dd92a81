// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Queue pairs that meet through librdmacm, the connection manager of rdma-core: it resolves the route by IP
// address and carries the attributes. The queue pairs stay this module's own.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rdma/verbs/queue_pair.hpp"

namespace assay::rdma {

/// "librdmacm" in a build without it.
std::optional<std::string> cm_not_built();

/// A queue pair in INIT and whom it is for.
struct CmEnd {
  std::uint64_t name = 0;  // the same at both ends, and of one pair only
  QueuePair* queue_pair = nullptr;
  bool calls = false;  // the other end answers
  QueuePairAddress peer = {};
  std::uint16_t peer_port = 0;
  PathSettings path = {};
};

/// One rank's connections, which queue pairs need until they are destroyed.
class CmConnections {
 public:
  /// Listens at the address of the GID. Throws Unsupported where that is not an IPv4 address or this host has
  /// no connection manager.
  CmConnections(const Device& device, const Gid& own);
  ~CmConnections();
  CmConnections(const CmConnections&) = delete;
  CmConnections& operator=(const CmConnections&) = delete;

  std::uint16_t port() const;  // where other ranks call

  static constexpr double usual_limit_s = 10;  // below what the other ranks wait for
  /// All ends of this rank, to RTS. Throws Error(verbs) naming what the connection manager said.
  void connect(std::vector<CmEnd> ends, const RetrySettings& retry, double limit_s = usual_limit_s);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace assay::rdma
