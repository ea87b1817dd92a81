// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Copies between two GPUs of a node, by copy engine or by a kernel that addresses the other's memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/core/benchmark.hpp"
#include "harness/cuda/buffers.hpp"
#include "harness/cuda/handles.hpp"
#include "harness/cuda/peer_access.hpp"
#include "offload/copy/host_copy.hpp"

namespace assay::offload {

/// Whose stream, and whose multiprocessors, a copy runs on.
enum class CopyOn { source, target };

struct PeerWay {
  int from = 0, to = 1;  // CUDA device indices
  CopyBy by = CopyBy::engine;
  CopyOn on = CopyOn::source;
  std::int64_t bytes = 0;
  int blocks = 0;     // of the kernel
  bool both = false;  // at the same time as much the other way

  int runs_on() const { return on == CopyOn::source ? from : to; }
  int other() const { return on == CopyOn::source ? to : from; }
  /// The other way: again on its source, or its target.
  PeerWay back() const;
};

/// Why this is not a copy to a peer on any machine.
std::optional<std::string> not_a_peer(const PeerWay& way);

/// Why two of `devices` GPUs are no peers, whatever their links; empty where they may be.
std::optional<std::string> not_two_gpus(const PeerWay& way, int devices);

class PeerCopy {
 public:
  /// One way. The GPU that the copy runs on is current, here and at every call. Source filled, target
  /// spoiled. Throws core::Unsupported for a kernel that cannot reach the other GPU's memory.
  explicit PeerCopy(const PeerWay& way);

  void enqueue(cudaStream_t stream) const;
  /// Once all that was queued has ended.
  core::Verification verify() const;
  /// False: the driver takes an engine's copy through the host's memory.
  bool is_direct() const { return access_.possible(); }

 private:
  void fill();

  PeerWay way_;
  cuda::PeerAccess access_, access_back_;
  cuda::DeviceBuffer source_, target_;
};

}  // namespace assay::offload
