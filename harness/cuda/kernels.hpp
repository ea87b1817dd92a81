// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The kernels of the harness and their launches: gate, SM stamps, background loads. A launch returns its
// status; the caller checks it.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace assay::cuda {

/// cudaSuccess when this device can load the kernels of this build (creates the context).
cudaError_t kernels_can_run();

/// Words in host-mapped memory that host and gate kernel share.
struct GateWords {
  std::uint32_t opened = 0;     // the last ticket the host opened
  std::uint32_t timed_out = 0;  // the last ticket whose kernel gave up waiting
};

/// One thread waits until words->opened reaches `ticket` (modulo 2^32), at most `timeout_ns` of the GPU's
/// global timer.
cudaError_t launch_gate(GateWords* words, std::uint32_t ticket, std::uint64_t timeout_ns,
                        cudaStream_t stream);

/// Both clocks of one SM, read one after the other; {0, 0} where no block ran.
struct alignas(16) SmStamp {
  std::uint64_t cycles = 0;       // %clock64
  std::uint64_t nanoseconds = 0;  // %globaltimer
};

/// `blocks` blocks each write the clocks of the SM they run on to stamps[%smid], where %smid < slots.
cudaError_t launch_stamp(SmStamp* stamps, int slots, int blocks, cudaStream_t stream);

/// Copies `bytes` (a multiple of 16, both pointers aligned to 16) `passes` times with `blocks` blocks: HBM
/// traffic.
cudaError_t launch_stream_load(const void* source, void* target, std::size_t bytes, int passes, int blocks,
                               cudaStream_t stream);

}  // namespace assay::cuda
