// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/cuda/timing/stream_gate.hpp"

#include <fmt/format.h>

#include <atomic>

#include "harness/core/error.hpp"
#include "harness/cuda/check.hpp"

namespace assay::cuda {

void GateHold::open() noexcept {
  if (words_ == nullptr) return;
  std::atomic_ref<std::uint32_t>(words_->opened).store(ticket_, std::memory_order_release);
  words_ = nullptr;
}

StreamGate::StreamGate(std::chrono::nanoseconds limit)
    : memory_(sizeof(GateWords)), limit_ns_(static_cast<std::uint64_t>(limit.count())) {}

GateHold StreamGate::close(cudaStream_t stream) {
  ++ticket_;
  GateHold hold(memory_.as<GateWords>(), ticket_);
  check(launch_gate(memory_.on_device<GateWords>(), ticket_, limit_ns_, stream), "launch the gate kernel");
  return hold;
}

bool StreamGate::timed_out() const {
  return ticket_ != 0 &&
         std::atomic_ref<std::uint32_t>(memory_.as<GateWords>()->timed_out).load(std::memory_order_acquire) ==
             ticket_;
}

void StreamGate::throw_if_timed_out() const {
  if (!timed_out()) return;
  throw core::Error(
      core::ErrorKind::cuda,
      fmt::format("the gate opened by its time limit of {} ms before the host had queued the sample",
                  limit_ns_ / 1'000'000));
}

}  // namespace assay::cuda
