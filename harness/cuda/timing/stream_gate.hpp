// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Holds a stream back while the host queues work behind it, so that launch gaps are not measured. The wait
// ends by itself after a time limit: a host that died or a full launch queue costs one sample, never a hang.
#pragma once

#include <chrono>
#include <cstdint>
#include <utility>

#include "harness/cuda/buffers.hpp"
#include "harness/cuda/kernels.hpp"

namespace assay::cuda {

/// A closed gate. Opens at open() or at destruction, whichever is first, so an exception while queuing
/// releases the stream. Must not outlive its StreamGate.
class GateHold {
 public:
  GateHold(GateWords* words, std::uint32_t ticket) : words_(words), ticket_(ticket) {}
  ~GateHold() { open(); }
  GateHold(GateHold&& other) noexcept
      : words_(std::exchange(other.words_, nullptr)), ticket_(other.ticket_) {}
  GateHold& operator=(GateHold&&) = delete;

  void open() noexcept;

 private:
  GateWords* words_;
  std::uint32_t ticket_;
};

class StreamGate {
 public:
  static constexpr std::chrono::nanoseconds default_limit = std::chrono::seconds(5);

  /// `limit`: longest the gate kernel waits. Throws core::Error(cuda).
  explicit StreamGate(std::chrono::nanoseconds limit = default_limit);

  /// Queues the gate kernel on `stream`: later work on it waits for the returned hold. One gate serves one
  /// stream.
  [[nodiscard]] GateHold close(cudaStream_t stream);

  /// True when the last close() ended by its time limit. Read after the stream has finished.
  bool timed_out() const;
  /// Throws core::Error(cuda) when it did: the sample contains launch gaps and must not be used.
  void throw_if_timed_out() const;

 private:
  PinnedBuffer memory_;
  std::uint64_t limit_ns_;
  std::uint32_t ticket_ = 0;
};

}  // namespace assay::cuda
