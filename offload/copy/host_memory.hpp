// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Host memory of every kind a GPU copies from and to, on a stated NUMA node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "harness/host/arena.hpp"
#include "offload/copy/memory_kind.hpp"

namespace assay::offload {

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
