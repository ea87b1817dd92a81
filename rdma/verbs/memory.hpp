// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The memory a point sends from and receives into: on a host's NUMA node or on a GPU.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/core/measure/benchmark.hpp"
#include "rdma/verbs/handles.hpp"

namespace assay::rdma {

class Memory {
 public:
  Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  virtual ~Memory() = default;

  /// The address that work requests name. On a GPU it must not be dereferenced.
  virtual std::byte* address() const = 0;
  virtual std::size_t bytes() const = 0;
  /// The host may read `address()` itself (a ping-pong by write polls its last byte).
  virtual bool host_readable() const = 0;
  /// Throws Error(verbs), Unsupported where the device cannot register memory of this kind.
  virtual MemoryRegionHandle register_with(ibv_pd* domain) const = 0;
  virtual void write(std::size_t offset, std::span<const std::byte> from) = 0;
  virtual void read(std::size_t offset, std::span<std::byte> into) const = 0;
  virtual std::vector<core::Fact> facts() const = 0;
};

/// `kind`: of memory_words() in traffic/settings.cpp; `node`: NUMA node of host memory, or -1 for the first
/// touch; `gpu`: device of CUDA memory. Throws Unsupported where this build or machine has no such memory.
std::unique_ptr<Memory> make_memory(const std::string& kind, std::size_t bytes, int node, int gpu);

/// "CUDA" in a build without it.
std::optional<std::string> cuda_memory_not_built();

/// As above for the two CUDA kinds; in a build without CUDA it throws Unsupported.
std::unique_ptr<Memory> make_cuda_memory(bool dma_buf, std::size_t bytes, int gpu);

/// Rights that every region has. Remote rights are what the operations under test need.
inline constexpr int region_access =
    IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC;

}  // namespace assay::rdma
