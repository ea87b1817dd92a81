// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Copies between two GPUs as a point asks: from one to the other, or at the same time one back.
#pragma once

#include <cstdint>
#include <memory>

#include "offload/copy/peer_copy.hpp"
#include "offload/copy/two_streams.hpp"

namespace assay::offload {

class PeerExchange {
 public:
  /// As PeerCopy; both ways also throw core::Unsupported where the GPUs do not reach each other's memory.
  PeerExchange(const PeerWay& way, cudaStream_t main);

  /// `main` continues once all is copied.
  void enqueue();
  std::int64_t launches() const { return back_ ? TwoStreams::entries : 1; }
  /// Times both ways: seconds there (first) and back, both at once behind a gate.
  TwoStreams::Seconds time_each();
  core::Verification verify() const;
  bool is_direct() const { return there_.is_direct(); }

 private:
  struct Back {
    Back(const PeerWay& way, cudaStream_t main);
    TwoStreams streams;
    std::unique_ptr<PeerCopy> copy;
  };

  PeerWay way_;
  cudaStream_t main_;
  PeerCopy there_;
  std::unique_ptr<Back> back_;  // both ways only; ends before what lets it reach the other GPU
};

}  // namespace assay::offload
