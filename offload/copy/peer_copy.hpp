// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Copies between two GPUs of a node, by copy engine or by a kernel that addresses the other's memory.
#pragma once

#include "harness/core/measure/benchmark.hpp"
#include "harness/cuda/buffers.hpp"
#include "harness/cuda/handles.hpp"
#include "harness/cuda/peer_access.hpp"
#include "offload/copy/copy_way.hpp"

namespace assay::offload {

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
