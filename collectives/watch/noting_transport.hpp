// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A transport that notes in the rank's ring whom it waits for.
#pragma once

#include <array>
#include <memory>
#include <utility>

#include "collectives/transport/transport.hpp"
#include "collectives/watch/flight_ring.hpp"

namespace assay::collectives {

class NotingTransport final : public Transport {
 public:
  /// `ring` must outlive it.
  NotingTransport(std::unique_ptr<Transport> beneath, FlightRing& ring)
      : beneath_(std::move(beneath)), ring_(ring) {}

  int rank() const override { return beneath_->rank(); }
  int size() const override { return beneath_->size(); }
  void send(int to, std::span<const std::byte> bytes) override {
    add(to);
    beneath_->send(to, bytes);
  }
  /// Whom a rank receives from stands first: a send is often done before the other side takes it.
  void receive(int from, std::span<std::byte> bytes) override {
    add(from);
    beneath_->receive(from, bytes);
  }
  void wait() override {
    ring_.waits({ranks_.data(), count_});
    count_ = 0;
    beneath_->wait();
    ring_.moves();
  }

 private:
  void add(int rank) {
    for (std::size_t i = 0; i < count_; ++i)
      if (ranks_[i] == rank) return;
    if (count_ < ranks_.size()) ranks_[count_++] = rank;
  }

  std::unique_ptr<Transport> beneath_;
  FlightRing& ring_;
  std::array<int, FlightRing::most_awaited> ranks_{};
  std::size_t count_ = 0;
};

}  // namespace assay::collectives
