// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Memory with fabric handles: files in memory, of which the handle is the path, so that processes of a host
// are the nodes of one NVLink domain. They go with their process.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <string>

#include "harness/core/files/descriptor.hpp"
#include "harness/cuda/fabric_calls.hpp"
#include "harness/cuda/tests/simulated/simulated_gpu.hpp"

namespace {

using namespace assay::cuda::simulated;

constexpr std::size_t handle_bytes = 64, page_bytes = std::size_t{2} << 20;

using assay::core::Descriptor;

std::mutex allocations_mutex;
std::map<CUmemGenericAllocationHandle, Descriptor>& allocations() {
  static auto& all = *new std::map<CUmemGenericAllocationHandle, Descriptor>;
  return all;
}

CUmemGenericAllocationHandle keep(Descriptor memory) {
  static CUmemGenericAllocationHandle last = 0;
  const std::lock_guard lock(allocations_mutex);
  allocations()[++last] = std::move(memory);
  return last;
}

int file_of(CUmemGenericAllocationHandle handle) {
  const std::lock_guard lock(allocations_mutex);
  return allocations().at(handle).get();
}

CUresult device(CUdevice* found, int ordinal) { return *found = ordinal, CUDA_SUCCESS; }
CUresult attribute(int* value, int, CUdevice) {
  return *value = gpu().exports_fabric_handles ? 1 : 0, CUDA_SUCCESS;
}
CUresult granularity(std::size_t* bytes, const CUmemAllocationProp*, CUmemAllocationGranularity_flags) {
  return *bytes = page_bytes, CUDA_SUCCESS;
}

CUresult create(CUmemGenericAllocationHandle* made, std::size_t bytes, const CUmemAllocationProp*,
                unsigned long long) {
  if (!gpu().has_imex_channel) return CUDA_ERROR_NOT_PERMITTED;
  Descriptor memory(memfd_create("simulated GPU memory", 0));
  if (!memory || ftruncate(memory.get(), static_cast<off_t>(bytes)) < 0) return CUDA_ERROR_OUT_OF_MEMORY;
  *made = keep(std::move(memory));
  return CUDA_SUCCESS;
}
CUresult release(CUmemGenericAllocationHandle handle) {
  const std::lock_guard lock(allocations_mutex);
  allocations().erase(handle);
  return CUDA_SUCCESS;
}

CUresult export_handle(void* into, CUmemGenericAllocationHandle handle, CUmemAllocationHandleType,
                       unsigned long long) {
  const std::string name = fmt::format("/proc/{}/fd/{}", getpid(), file_of(handle));
  auto* const text = static_cast<char*>(into);
  std::fill_n(text, handle_bytes, '\0');
  std::copy_n(name.data(), std::min(name.size(), handle_bytes - 1), text);
  return CUDA_SUCCESS;
}
CUresult import_handle(CUmemGenericAllocationHandle* made, void* from, CUmemAllocationHandleType) {
  Descriptor memory(open(static_cast<const char*>(from), O_RDWR));
  if (!memory) return CUDA_ERROR_INVALID_HANDLE;
  *made = keep(std::move(memory));
  return CUDA_SUCCESS;
}

CUresult reserve(CUdeviceptr* address, std::size_t bytes, std::size_t, CUdeviceptr, unsigned long long) {
  void* const reserved = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (reserved == MAP_FAILED) return CUDA_ERROR_OUT_OF_MEMORY;
  *address = reinterpret_cast<CUdeviceptr>(reserved);
  return CUDA_SUCCESS;
}
CUresult unreserve(CUdeviceptr address, std::size_t bytes) {
  munmap(reinterpret_cast<void*>(address), bytes);
  return CUDA_SUCCESS;
}
CUresult map(CUdeviceptr address, std::size_t bytes, std::size_t, CUmemGenericAllocationHandle handle,
             unsigned long long) {
  void* const mapped =
      mmap(reinterpret_cast<void*>(address), bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, file_of(handle), 0);
  return mapped == MAP_FAILED ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}
CUresult unmap(CUdeviceptr, std::size_t) { return CUDA_SUCCESS; }
CUresult set_access(CUdeviceptr address, std::size_t bytes, const CUmemAccessDesc*, std::size_t) {
  const int status = mprotect(reinterpret_cast<void*>(address), bytes, PROT_READ | PROT_WRITE);
  return status < 0 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult error_text(CUresult status, const char** text) {
  *text = status == CUDA_ERROR_NOT_PERMITTED    ? "operation not permitted"
          : status == CUDA_ERROR_INVALID_HANDLE ? "invalid resource handle"
                                                : "simulated";
  return CUDA_SUCCESS;
}

}  // namespace

namespace assay::cuda {

const FabricCalls& fabric_calls() {
  static const FabricCalls calls{.device = device,
                                 .attribute = attribute,
                                 .granularity = granularity,
                                 .create = create,
                                 .release = release,
                                 .export_handle = export_handle,
                                 .import_handle = import_handle,
                                 .reserve = reserve,
                                 .unreserve = unreserve,
                                 .map = map,
                                 .unmap = unmap,
                                 .set_access = set_access,
                                 .error_text = error_text};
  return calls;
}

}  // namespace assay::cuda
