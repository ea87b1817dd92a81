// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Device memory for verbs: registered by its address where the driver offers peer memory (nvidia-peermem), or
// as a dma-buf that the CUDA driver exports and the RDMA driver imports.
#include <cuda.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

#include "harness/core/error.hpp"
#include "harness/core/files/descriptor.hpp"
#include "harness/core/files/shared_library.hpp"
#include "harness/core/units.hpp"
#include "harness/cuda/buffers.hpp"
#include "harness/cuda/check.hpp"
#include "harness/cuda/device.hpp"
#include "rdma/verbs/check.hpp"
#include "rdma/verbs/memory.hpp"

namespace assay::rdma {
namespace {

constexpr std::size_t allocation_bytes = std::size_t{2}
                                         << 20U;  // what the driver maps at a time: page-aligned

using ExportRange = CUresult (*)(void*, CUdeviceptr, std::size_t, CUmemRangeHandleType, unsigned long long);

/// The driver's own function, asked of the library that the runtime has loaded: linking with it would keep
/// the program from starting without it, and the runtime's query for it differs between CUDA 12 and 13.
ExportRange export_function() {
  static const core::SharedLibrary driver("libcuda.so.1", core::ErrorKind::cuda,
                                          core::SharedLibrary::AtEnd::stay);
  ExportRange function = nullptr;
  driver.find_if_there("cuMemGetHandleForAddressRange", function);
  if (function == nullptr)
    throw core::Unsupported(core::ErrorKind::cuda, "this CUDA driver exports no dma-buf (11.7 and later do)");
  return function;
}

cuda::DeviceBuffer allocate_on(int gpu, std::size_t bytes) {
  cuda::check(cudaSetDevice(gpu), "choose the GPU that messages lie on");
  return cuda::DeviceBuffer(core::rounded_up(bytes, allocation_bytes));
}

class CudaMemory final : public Memory {
 public:
  CudaMemory(bool dma_buf, std::size_t bytes, int gpu)
      : dma_buf_(dma_buf), gpu_(gpu), buffer_(allocate_on(gpu, bytes)) {
    cuda::check(cudaMemset(buffer_.data(), 0, buffer_.size()), "clear device memory");
    cuda::check(cudaDeviceSynchronize(), "clear device memory");
  }

  std::byte* address() const override { return buffer_.data(); }
  std::size_t bytes() const override { return buffer_.size(); }
  bool host_readable() const override { return false; }
  MemoryRegionHandle register_with(ibv_pd* domain) const override {
    return dma_buf_ ? register_dma_buf(domain) : register_peer_memory(domain);
  }

  void write(std::size_t offset, std::span<const std::byte> from) override {
    cuda::check(cudaMemcpy(buffer_.data() + offset, from.data(), from.size(), cudaMemcpyHostToDevice),
                "write device memory");
  }
  void read(std::size_t offset, std::span<std::byte> into) const override {
    cuda::check(cudaMemcpy(into.data(), buffer_.data() + offset, into.size(), cudaMemcpyDeviceToHost),
                "read device memory");
  }
  std::vector<core::Fact> facts() const override {
    return {{"memory_bytes", static_cast<std::int64_t>(buffer_.size())},
            {"memory_gpu", std::int64_t{gpu_}},
            {"memory_registered_by", dma_buf_ ? "dma-buf" : "peer memory"}};
  }

 private:
  MemoryRegionHandle register_peer_memory(ibv_pd* domain) const {
    ibv_mr* region = ibv_reg_mr(domain, buffer_.data(), buffer_.size(), region_access);
    if (region == nullptr && errno == EFAULT)
      throw core::Unsupported(
          core::ErrorKind::verbs,
          "register device memory: Bad address (errno 14): the RDMA driver knows no peer memory (is "
          "nvidia-peermem loaded? memory=cuda_dmabuf needs none)",
          EFAULT);
    return MemoryRegionHandle(made_by_verbs(region, "register device memory"));
  }

  MemoryRegionHandle register_dma_buf(ibv_pd* domain) const {
    int fd = -1;
    const CUresult result = export_function()(&fd, reinterpret_cast<CUdeviceptr>(buffer_.data()),
                                              buffer_.size(), CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD, 0);
    if (result == CUDA_ERROR_NOT_SUPPORTED)
      throw core::Unsupported(core::ErrorKind::cuda, "this GPU's memory cannot be exported as a dma-buf",
                              result);
    if (result != CUDA_SUCCESS)
      throw core::Error(core::ErrorKind::cuda,
                        fmt::format("export device memory as a dma-buf: error {}", static_cast<int>(result)),
                        result);
    const core::Descriptor exported(fd);
    const auto virtual_address = reinterpret_cast<std::uint64_t>(buffer_.data());
    return MemoryRegionHandle(made_by_verbs(
        ibv_reg_dmabuf_mr(domain, 0, buffer_.size(), virtual_address, exported.get(), region_access),
        "register a dma-buf of device memory"));
  }

  bool dma_buf_;
  int gpu_;
  cuda::DeviceBuffer buffer_;
};

}  // namespace

std::optional<std::string> cuda_memory_not_built() { return std::nullopt; }

std::unique_ptr<Memory> make_cuda_memory(bool dma_buf, std::size_t bytes, int gpu) {
  if (const auto why = cuda::device_unavailable()) throw core::Unsupported(core::ErrorKind::cuda, *why);
  if (const int gpus = cuda::device_count(); gpu >= gpus)
    core::usage_error(fmt::format("gpu={}: this host has {} CUDA device(s)", gpu, gpus));
  return std::make_unique<CudaMemory>(dma_buf, bytes, gpu);
}

}  // namespace assay::rdma
