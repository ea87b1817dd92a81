// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A transport that lets rank 1 receive something else than was sent.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "collectives/transport/transport.hpp"

namespace assay::collectives {

/// Flips a bit of what rank 1 receives, of `least` bytes or more (at least 4).
class SpoilingTransport final : public Transport {
 public:
  SpoilingTransport(std::unique_ptr<Transport> beneath, std::size_t least)
      : beneath_(std::move(beneath)), least_(least) {}
  int rank() const override { return beneath_->rank(); }
  int size() const override { return beneath_->size(); }
  void send(int to, std::span<const std::byte> bytes) override { beneath_->send(to, bytes); }
  void receive(int from, std::span<std::byte> bytes) override {
    received_ = bytes;
    beneath_->receive(from, bytes);
  }
  void wait() override {
    beneath_->wait();
    if (rank() == 1 && received_.size() >= least_) received_[3] ^= std::byte{1};
    received_ = {};
  }

 private:
  std::unique_ptr<Transport> beneath_;
  std::size_t least_;
  std::span<std::byte> received_;
};

}  // namespace assay::collectives
