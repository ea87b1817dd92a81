// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/copy/host_memory.hpp"

#include <fmt/format.h>

#include <cstring>
#include <exception>
#include <functional>
#include <thread>

#include "harness/cuda/check.hpp"
#include "harness/host/pinned_threads.hpp"

namespace assay::offload {
namespace {

/// On a thread bound to the node, so that pages it is given and touches first lie there. Throws what it
/// throws.
void on_node(int node, const std::function<void()>& work) {
  int device = 0;
  cuda::check(cudaGetDevice(&device), "ask for the current device");
  std::exception_ptr failure;
  std::thread([&] {
    try {
      const host::PinnedThreads here(host::choose_cpus(1, node));
      cuda::check(cudaSetDevice(device), "make the device current");
      work();
    } catch (...) {
      failure = std::current_exception();
    }
  }).join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace

HostMemory::HostMemory(MemoryKind kind, std::int64_t bytes, int node)
    : size_(static_cast<std::size_t>(bytes)) {
  const bool by_cuda = kind == MemoryKind::pinned || kind == MemoryKind::write_combined;
  if (by_cuda) {
    const unsigned combined = kind == MemoryKind::write_combined ? cudaHostAllocWriteCombined : 0;
    allocate(cudaHostAllocPortable | cudaHostAllocMapped | combined, node);
    return;
  }
  const auto pages = kind == MemoryKind::huge ? host::Pages::transparent : host::Pages::base;
  arena_ = std::make_unique<host::Arena>(size_, node, pages);
  data_ = arena_->data();
  std::memset(data_, 0, size_);
  if (kind != MemoryKind::pageable) lock_arena();
}

void HostMemory::allocate(unsigned flags, int node) {
  on_node(node, [&] {
    void* memory = nullptr;
    cuda::check(cudaHostAlloc(&memory, size_, flags), fmt::format("page-lock {} bytes", size_));
    allocated_.reset(static_cast<std::byte*>(memory));
    std::memset(memory, 0, size_);
  });
  data_ = allocated_.get();
  void* address = nullptr;
  cuda::check(cudaHostGetDevicePointer(&address, data_, 0), "map host memory");
  on_device_ = static_cast<std::byte*>(address);
}

void HostMemory::lock_arena() {
  cuda::check(cudaHostRegister(data_, size_, cudaHostRegisterPortable | cudaHostRegisterMapped),
              fmt::format("page-lock {} bytes", size_));
  registered_.reset(data_);
  void* address = nullptr;
  cuda::check(cudaHostGetDevicePointer(&address, data_, 0), "map host memory");
  on_device_ = static_cast<std::byte*>(address);
}

void HostMemory::FreeHost::operator()(std::byte* memory) const noexcept {
  if (!cuda::context_is_lost()) static_cast<void>(cudaFreeHost(memory));
}

void HostMemory::Unregister::operator()(std::byte* memory) const noexcept {
  if (!cuda::context_is_lost()) static_cast<void>(cudaHostUnregister(memory));
}

}  // namespace assay::offload
