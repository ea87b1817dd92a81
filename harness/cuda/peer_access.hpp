// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One GPU's kernels on another GPU's memory.
#pragma once

namespace assay::cuda {

/// One GPU reaches another's memory while it lives, where the hardware lets it.
class PeerAccess {
 public:
  /// Throws core::Error(cuda).
  PeerAccess(int gpu, int peer);
  ~PeerAccess();
  PeerAccess(const PeerAccess&) = delete;
  PeerAccess& operator=(const PeerAccess&) = delete;

  bool possible() const { return possible_; }

 private:
  int gpu_, peer_;
  bool possible_ = false, enabled_ = false;
};

}  // namespace assay::cuda
