// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Thread blocks that stay on a multiprocessor of their own until the host orders them to leave: spinning, or
// streaming, or copying tile after tile. A launch returns its status.
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstdint>

#include "offload/interference/device/tile.hpp"

namespace assay::offload {

enum class ResidentKind {
  spin,   // waits, with hardly an instruction
  triad,  // c = a + 3 b of fp32
  copy,   // c = a
};

/// In device memory; zero before the first launch.
struct ResidentWords {
  // Words of one launch: zero these (launch_words_bytes) before every one.
  std::uint32_t began = 0, left = 0,
                by_limit = 0;  // blocks that are there, are gone, were not ordered to leave
  std::uint32_t stop = 0;      // the last ticket that was ordered to leave, handed on by block 0
  // Words of all launches.
  unsigned long long claimed = 0;                           // tiles begun; once a launch has ended: done
  std::array<std::uint32_t, most_resident_blocks> sm = {};  // the multiprocessor that a block was on
};
inline constexpr std::size_t launch_words_bytes = 3 * sizeof(std::uint32_t);

/// In host memory that the device addresses.
struct ResidentHostWords {
  std::uint32_t stop = 0;     // the last ticket that is to leave; tickets are compared modulo 2^32
  std::uint32_t started = 0;  // the last ticket all of whose blocks are there
};

struct ResidentLaunch {
  ResidentKind kind = ResidentKind::spin;
  int blocks = 0;  // 1 to most_resident_blocks, and fewer than the multiprocessors, or nothing else runs
  const void *a = nullptr, *b = nullptr;
  void* c = nullptr;
  std::uint64_t tiles = 0;  // of each array; they go round
  ResidentWords* words = nullptr;
  ResidentHostWords* host = nullptr;  // as the device addresses it
  std::uint32_t ticket = 0;
  std::uint64_t limit_ns = 0;  // longest stay, by the GPU's global timer
};

/// Dynamic shared memory with which a block of this kind leaves no space on its multiprocessor for another of
/// any kernel; set in the runtime. `most`: of a block, with the opt-in.
cudaError_t reserve_multiprocessor(ResidentKind kind, int most, int& shared_bytes);

cudaError_t launch_resident(const ResidentLaunch& launch, int shared_bytes, cudaStream_t stream);

struct ResidentSnapshot {
  std::uint64_t claimed = 0, nanoseconds = 0;
  std::uint32_t began = 0, left = 0;
};
/// How far they are when the stream gets there. `snapshot`: in host memory, as the device addresses it.
cudaError_t launch_snapshot(const ResidentWords* words, ResidentSnapshot* snapshot, cudaStream_t stream);

}  // namespace assay::offload
