// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Host memory of every kind a GPU copies from and to, on a stated NUMA node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/host/arena.hpp"

namespace assay::offload {

enum class MemoryKind {
  pinned,          // allocated page-locked by CUDA
  write_combined,  // the same, past the caches: quick for a GPU to read, slow for a CPU
  registered,      // ordinary pages, page-locked afterwards
  huge,            // the same with transparent huge pages
  pageable,        // not page-locked: the driver copies it through memory of its own
};

std::string to_string(MemoryKind kind);
std::vector<std::string> all_memory_kinds();
/// Throws a usage Error naming what is accepted.
MemoryKind memory_kind_from(std::string_view text);

class HostMemory {
 public:
  /// `node` -1: any. Every page is touched. Throws core::Error: cuda where the driver refuses, which may be a
  /// limit on locked memory; usage where there is no such node.
  HostMemory(MemoryKind kind, std::int64_t bytes, int node);

  std::span<std::byte> bytes() const { return {data_, size_}; }
  /// As kernels of the current device address it; nullptr where they cannot.
  std::byte* on_device() const { return on_device_; }

 private:
  struct FreeHost {
    void operator()(std::byte* memory) const noexcept;
  };
  struct Unregister {
    void operator()(std::byte* memory) const noexcept;
  };
  void allocate(unsigned flags, int node);
  void lock_arena();

  std::size_t size_ = 0;
  std::unique_ptr<host::Arena> arena_;
  std::unique_ptr<std::byte, FreeHost> allocated_;
  std::unique_ptr<std::byte, Unregister> registered_;  // ends before the arena
  std::byte* data_ = nullptr;
  std::byte* on_device_ = nullptr;
};

}  // namespace assay::offload
