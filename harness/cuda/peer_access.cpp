// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/cuda/peer_access.hpp"

#include <cuda_runtime_api.h>
#include <fmt/core.h>

#include "harness/cuda/check.hpp"
#include "harness/cuda/handles.hpp"

namespace assay::cuda {

PeerAccess::PeerAccess(int gpu, int peer) : gpu_(gpu), peer_(peer) {
  int possible = 0;
  check(cudaDeviceCanAccessPeer(&possible, gpu, peer),
        fmt::format("ask whether GPU {} reaches GPU {}", gpu, peer));
  possible_ = possible != 0;
  if (!possible_) return;
  const DeviceGuard guard(gpu);
  const cudaError_t status = cudaDeviceEnablePeerAccess(peer, 0);
  if (status == cudaErrorPeerAccessAlreadyEnabled) {
    static_cast<void>(cudaGetLastError());
    return;
  }
  check(status, fmt::format("let GPU {} reach GPU {}", gpu, peer));
  enabled_ = true;
}

PeerAccess::~PeerAccess() {
  if (!enabled_ || context_is_lost()) return;
  int before = 0;
  static_cast<void>(cudaGetDevice(&before));
  static_cast<void>(cudaSetDevice(gpu_));
  static_cast<void>(cudaDeviceDisablePeerAccess(peer_));
  static_cast<void>(cudaSetDevice(before));
}

}  // namespace assay::cuda
