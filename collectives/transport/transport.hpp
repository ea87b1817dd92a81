// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The transport that assay's algorithms use: send, receive, wait. One object a rank.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace assay::collectives {

/// For transports whose point is never given up.
inline const std::atomic<bool> never_given_up{false};

/// How a rank waits: it sleeps until something can move, or looks without end.
enum class Waiting { sleeping, polling };
inline constexpr unsigned turns_between_looks = 1024;  // at what ends a wait, of a rank that polls

class Transport {
 public:
  Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  virtual ~Transport() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;

  /// Start a transfer; never block. The bytes are the transport's until wait() returns. Between two ranks the
  /// k-th send meets the k-th receive, which must be of the same size.
  virtual void send(int to, std::span<const std::byte> bytes) = 0;
  virtual void receive(int from, std::span<std::byte> bytes) = 0;

  /// Until everything started is done. Throws core::Error (team) naming the rank that is late
  /// once the transport's limit has passed; it can then be used no more.
  virtual void wait() = 0;
};

/// Between threads of this process: n transports by rank, each for one thread. A wait() longer than `limit_s`
/// throws core::Error (team).
std::vector<std::unique_ptr<Transport>> make_thread_transports(int n, double limit_s = 60);

}  // namespace assay::collectives
