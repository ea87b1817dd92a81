// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Summary of an output in device memory, for a check: its digest and its rows' checksums, summed up there.
#pragma once

#include <cuda_runtime_api.h>

#include "gemm/check/check.hpp"
#include "harness/cuda/buffers.hpp"

namespace assay::gemm {

class DeviceSummary {
 public:
  /// Summarises outputs of this product. The device must be current. Throws core::Error(cuda).
  DeviceSummary(const Problem& problem, cudaStream_t stream);

  /// Waits for the summary, behind what is queued.
  OutputSummary of(const void* output);

 private:
  Problem problem_;
  cudaStream_t stream_;
  cuda::DeviceBuffer totals_, rows_;
};

/// 64-bit checksums from device memory.
std::vector<std::uint64_t> read_checksums(const cuda::DeviceBuffer& there);

}  // namespace assay::gemm
