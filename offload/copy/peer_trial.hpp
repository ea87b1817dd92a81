// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Copies between two GPUs as what is measured: behind a gate and by events of the GPU they run on.
#pragma once

#include <vector>

#include "harness/cuda/device_site.hpp"
#include "harness/cuda/launch_chunks.hpp"
#include "offload/copy/peer_exchange.hpp"

namespace assay::offload {

class PeerTrial {
 public:
  PeerTrial(const PeerWay& way, cuda::GatedSite& site);

  core::Timing enqueue(std::int64_t iterations) {
    return site_.timer.run(iterations, launches_each(), [this] { copy_.enqueue(); });
  }
  core::Verification check() { return copy_.verify(); }
  std::vector<core::Metric> metrics(const core::Measurement&);
  std::vector<core::Fact> facts();

 private:
  /// A copy that the driver stages through the host waits for the device within its call: behind a closed
  /// gate it would wait for itself. So many launches are never gated.
  std::int64_t launches_each() const {
    return copy_.is_direct() ? copy_.launches() : cuda::gated_launch_limit + 1;
  }

  PeerWay way_;
  cuda::GatedSite& site_;
  PeerExchange copy_;
};

}  // namespace assay::offload
