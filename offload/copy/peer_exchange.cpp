// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/copy/peer_exchange.hpp"

#include <fmt/core.h>

#include "harness/core/error.hpp"
#include "harness/cuda/handles.hpp"

namespace assay::offload {

PeerExchange::Back::Back(const PeerWay& way, cudaStream_t main) : streams(main, way.back().runs_on()) {
  const cuda::DeviceGuard there(way.back().runs_on());
  copy = std::make_unique<PeerCopy>(way.back());
}

PeerExchange::PeerExchange(const PeerWay& way, cudaStream_t main) : way_(way), main_(main), there_(way) {
  if (!way.both) return;
  if (!is_direct())
    throw core::Unsupported(
        core::ErrorKind::cuda,
        fmt::format(
            "GPUs {} and {} do not reach each other's memory: copies through the host's wait in their call, "
            "one way after the other",
            way.from, way.to));
  back_ = std::make_unique<Back>(way, main);
}

void PeerExchange::enqueue() {
  if (!back_) return there_.enqueue(main_);
  back_->streams.enqueue([this](cudaStream_t stream) { there_.enqueue(stream); },
                         [this](cudaStream_t stream) { back_->copy->enqueue(stream); });
}

TwoStreams::Seconds PeerExchange::time_each() {
  return back_->streams.time_each([this](cudaStream_t stream) { there_.enqueue(stream); },
                                  [this](cudaStream_t stream) { back_->copy->enqueue(stream); });
}

core::Verification PeerExchange::verify() const {
  core::Verification seen = there_.verify();
  if (!back_ || seen.result != core::Verification::Result::right) return seen;
  const cuda::DeviceGuard there(way_.back().runs_on());
  return back_->copy->verify();
}

}  // namespace assay::offload
