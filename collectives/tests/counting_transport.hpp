// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The traffic that really went over a transport: a wrapper that notes every transfer, and what the notes of
// all ranks add up to.
#pragma once

#include <cstdint>
#include <vector>

#include "collectives/transport/transport.hpp"

namespace assay::collectives {

/// One wait() and what it waited for.
struct TransferLog {
  struct Transfer {
    int peer;
    std::int64_t bytes;
  };
  std::vector<Transfer> sends = {}, receives = {};
};

class CountingTransport final : public Transport {
 public:
  explicit CountingTransport(Transport& beneath) : beneath_(beneath) {}

  int rank() const override { return beneath_.rank(); }
  int size() const override { return beneath_.size(); }
  void send(int to, std::span<const std::byte> bytes) override;
  void receive(int from, std::span<std::byte> bytes) override;
  void wait() override;

  /// Since the beginning, or since the last call.
  std::vector<TransferLog> take_log();

 private:
  Transport& beneath_;
  TransferLog under_way_;
  std::vector<TransferLog> log_;
};

struct Traffic {
  std::int64_t messages = 0, bytes = 0;
};
Traffic sent_in(const std::vector<TransferLog>& log);

/// The longest chain of steps that wait for one another: a step takes one unit of time, and begins once its
/// rank's step before it has ended and the ranks that it receives from have begun to send. `logs` by rank.
/// Throws core::Error (team) where a message was received that nobody sent.
std::int64_t longest_chain(const std::vector<std::vector<TransferLog>>& logs);

}  // namespace assay::collectives
