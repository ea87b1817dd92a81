// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/cuda/buffers.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <cstring>
#include <string>

#include "harness/cuda/check.hpp"

namespace assay::cuda {
namespace {

// The free memory is asked for only after a failure: the question itself may fail too, and must not hide the
// first error.
std::string free_memory() {
  std::size_t free = 0, total = 0;
  if (cudaMemGetInfo(&free, &total) == cudaSuccess)
    return fmt::format(" ({} of {} bytes are free)", free, total);
  static_cast<void>(cudaGetLastError());
  return {};
}

}  // namespace

DeviceBuffer::DeviceBuffer(std::size_t bytes) : bytes_(bytes) {
  check(cudaGetDevice(&device_), fmt::format("find the device for a buffer of {} bytes", bytes));
  if (bytes == 0) return;
  void* memory = nullptr;
  const cudaError_t status = cudaMalloc(&memory, bytes);
  if (status != cudaSuccess)
    check(status,
          fmt::format("allocate a device buffer of {} bytes on device {}{}", bytes, device_, free_memory()));
  memory_.reset(static_cast<std::byte*>(memory));
}

void DeviceBuffer::Free::operator()(std::byte* memory) const noexcept {
  if (!context_is_lost()) static_cast<void>(cudaFree(memory));
}

PinnedBuffer::PinnedBuffer(std::size_t bytes) : bytes_(bytes) {
  if (bytes == 0) return;
  void* memory = nullptr;
  check(cudaHostAlloc(&memory, bytes, cudaHostAllocMapped | cudaHostAllocPortable),
        fmt::format("allocate {} bytes of pinned host memory", bytes));
  memory_.reset(static_cast<std::byte*>(memory));
  std::memset(memory, 0, bytes);
  void* device_address = nullptr;
  check(cudaHostGetDevicePointer(&device_address, memory, 0), "map pinned host memory for the device");
  device_address_ = static_cast<std::byte*>(device_address);
}

void PinnedBuffer::Free::operator()(std::byte* memory) const noexcept {
  if (!context_is_lost()) static_cast<void>(cudaFreeHost(memory));
}

}  // namespace assay::cuda
