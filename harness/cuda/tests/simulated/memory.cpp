// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Memory of the CUDA runtime. All of it is the host's, so that what a kernel may address is not checked.
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "harness/core/tests/simulated/h100.hpp"
#include "harness/cuda/tests/simulated/simulated_gpu.hpp"

using namespace assay::cuda::simulated;
namespace h100 = assay::core::simulated::h100;

namespace {

constexpr std::size_t alignment = 256;

std::mutex buffers_mutex;
/// Both are never destroyed: what a lost GPU held is given up, not leaked.
std::map<void*, std::size_t>& buffers() {
  static auto& all = *new std::map<void*, std::size_t>;
  return all;
}
std::set<void*>& page_locked() {
  static auto& all = *new std::set<void*>;
  return all;
}

bool is_on_device(const void* address) {
  const std::lock_guard lock(buffers_mutex);
  const auto after = buffers().upper_bound(const_cast<void*>(address));
  if (after == buffers().begin()) return false;
  const auto& [memory, bytes] = *std::prev(after);
  return static_cast<const std::byte*>(address) < static_cast<std::byte*>(memory) + bytes;
}

std::size_t used_bytes() {
  std::size_t used = 0;
  for (const auto& [memory, bytes] : buffers()) used += bytes;
  return used;
}

void* allocate(std::size_t bytes) {
  void* const memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  // New memory holds bytes that no one expects as a number.
  std::memset(memory, 0xa5, bytes);
  return memory;
}

/// Bytes a second of a copy.
double rate_of(const void* to, const void* from) {
  const bool stays = is_on_device(to) && is_on_device(from);
  return stays ? h100::memory_bytes_per_s / 2 : h100::pcie_bytes_per_s;  // read and written
}

void queue_copy(void* to, const void* from, std::size_t bytes, double bytes_per_s, cudaStream_t stream) {
  queue_work(stream, [=] {
    std::memcpy(to, from, bytes);
    spend(h100::launch_s + static_cast<double>(bytes) / bytes_per_s);
  });
}

void may_wait_for_blocks() {
  if (gpu().resident_blocks > 0) ++gpu().forbidden_calls;
}

/// Delays work of the default stream, since other streams do not wait for it.
void rest() { std::this_thread::sleep_for(std::chrono::microseconds(500)); }

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
  may_wait_for_blocks();
  const std::lock_guard lock(buffers_mutex);
  if (bytes > memory_bytes - used_bytes()) return remember(cudaErrorMemoryAllocation);
  *memory = allocate(bytes);
  buffers()[*memory] = bytes;
  return gpu_status();
}
cudaError_t cudaFree(void* memory) {
  may_wait_for_blocks();
  if (gpu().resident_blocks == 0) cudaDeviceSynchronize();
  const std::lock_guard lock(buffers_mutex);
  buffers().erase(memory);
  std::free(memory);
  return gpu_status();
}
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  const std::lock_guard lock(buffers_mutex);
  *total = memory_bytes;
  *free = memory_bytes - used_bytes();
  return gpu_status();
}

cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned) {
  may_wait_for_blocks();
  if (gpu().page_locking_fails) return remember(cudaErrorMemoryAllocation);
  *memory = allocate(bytes);
  const std::lock_guard lock(buffers_mutex);
  page_locked().insert(*memory);
  return gpu_status();
}
cudaError_t cudaFreeHost(void* memory) {
  may_wait_for_blocks();
  if (gpu().resident_blocks == 0) cudaDeviceSynchronize();
  const std::lock_guard lock(buffers_mutex);
  page_locked().erase(memory);
  std::free(memory);
  return gpu_status();
}
cudaError_t cudaHostRegister(void*, std::size_t, unsigned) {
  return gpu().page_locking_fails ? remember(cudaErrorMemoryAllocation) : gpu_status();
}
cudaError_t cudaHostUnregister(void*) { return gpu_status(); }
cudaError_t cudaHostGetDevicePointer(void** there, void* here, unsigned) {
  *there = here;
  return gpu_status();
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind,
                            cudaStream_t stream) {
  queue_copy(to, from, bytes, rate_of(to, from), stream);
  return gpu_status();
}
cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, std::size_t bytes,
                                cudaStream_t stream) {
  queue_copy(to, from, bytes, h100::nvlink_bytes_per_s, stream);
  return gpu_status();
}
/// Copies to the device, and within it, may arrive after the call has returned (CUDA runtime documentation,
/// API synchronization behavior).
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  if (!is_on_device(to)) {
    cudaMemcpyAsync(to, from, bytes, kind, nullptr);
    return cudaStreamSynchronize(nullptr);
  }
  queue_work(nullptr, rest);
  if (is_on_device(from)) return cudaMemcpyAsync(to, from, bytes, kind, nullptr);
  const auto* const first = static_cast<const std::byte*>(from);
  queue_work(nullptr, [to, kept = std::vector<std::byte>(first, first + bytes)] {
    std::memcpy(to, kept.data(), kept.size());
  });
  return gpu_status();
}
cudaError_t cudaMemsetAsync(void* to, int byte, std::size_t bytes, cudaStream_t stream) {
  queue_work(stream, [=] { std::memset(to, byte, bytes); });
  return gpu_status();
}
cudaError_t cudaMemset2DAsync(void* to, std::size_t pitch, int byte, std::size_t width, std::size_t height,
                              cudaStream_t stream) {
  if (width > pitch) return remember(cudaErrorInvalidValue);
  queue_work(stream, [=] {
    for (std::size_t row = 0; row < height; ++row)
      std::memset(static_cast<char*>(to) + row * pitch, byte, width);
  });
  return gpu_status();
}
cudaError_t cudaMemset(void* to, int byte, std::size_t bytes) {
  queue_work(nullptr, rest);
  return cudaMemsetAsync(to, byte, bytes, nullptr);
}

}  // extern "C"
