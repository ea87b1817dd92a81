// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Two GPUs of this process as the ranks of NCCL's communicators.
#pragma once

#include <array>
#include <cstddef>
#include <functional>

#include "harness/nccl/library.hpp"

namespace assay::offload {

class NcclPair {
 public:
  /// CUDA device indices, of ranks 0 and 1. `calls` must outlive it. Throws core::Error(nccl).
  NcclPair(const nccl::Calls& calls, const std::array<int, 2>& gpus);
  ~NcclPair();
  NcclPair(const NcclPair&) = delete;
  NcclPair& operator=(const NcclPair&) = delete;

  /// At one rank, on a stream of its GPU.
  struct Part {
    const float* from = nullptr;
    float* to = nullptr;
    cudaStream_t stream = nullptr;
  };
  /// Queues the sum of `count` elements at both ranks. Throws core::Error(nccl).
  void all_reduce(const std::array<Part, 2>& parts, std::size_t count);

 private:
  void make(const std::array<int, 2>& gpus);
  /// What each rank calls, as one group; a group that was begun is ended, whatever happened.
  void in_group(const char* doing, const std::function<ncclResult_t(std::size_t rank)>& call);
  void check(ncclResult_t status, const char* doing);

  const nccl::Calls& calls_;
  std::array<ncclComm_t, 2> comms_ = {};
  bool broken_ = false;
};

}  // namespace assay::offload
