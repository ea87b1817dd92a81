// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A GPU of this process, for NCCL.
#include "collectives/nccl/device/accelerator.hpp"
#include "collectives/nccl/device/device_reduce.hpp"
#include "harness/core/files/handle.hpp"
#include "harness/cuda/check.hpp"
#include "harness/cuda/finished.hpp"
#include "harness/cuda/handles.hpp"

namespace assay::collectives {
namespace {

using Graph = core::Handle<cudaGraph_t, cudaGraphDestroy>;
using GraphExec = core::Handle<cudaGraphExec_t, cudaGraphExecDestroy>;

class CudaReplay final : public Replay {
 public:
  CudaReplay(GraphExec graph, cudaStream_t stream) : graph_(std::move(graph)), stream_(stream) {}
  void enqueue() override { cuda::check(cudaGraphLaunch(graph_.get(), stream_), "launch a graph"); }

 private:
  GraphExec graph_;
  cudaStream_t stream_;
};

class CudaAccelerator final : public Accelerator {
 public:
  explicit CudaAccelerator(int device) {
    cuda::check(cudaSetDevice(device), "use a GPU");
    stream_ = cuda::make_stream();
  }

  cudaStream_t stream() override { return stream_.get(); }

  std::byte* allocate(std::size_t bytes) override {
    void* memory = nullptr;
    cuda::check(cudaMalloc(&memory, bytes), "allocate device memory for NCCL");
    return static_cast<std::byte*>(memory);
  }
  void free(std::byte* memory) noexcept override {
    if (!cuda::context_is_lost()) static_cast<void>(cudaFree(memory));
  }

  void to_device(std::byte* to, std::span<const std::byte> from) override {
    move(to, from.data(), from.size(), cudaMemcpyHostToDevice, "copy to the device");
  }
  void to_host(std::span<std::byte> to, const std::byte* from) override {
    move(to.data(), from, to.size(), cudaMemcpyDeviceToHost, "copy from the device");
  }

  void copy(std::byte* to, const std::byte* from, std::size_t bytes) override {
    cuda::check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream_.get()),
                "copy on the device");
  }
  void reduce(DataType type, Operator reduction, std::byte* into, const std::byte* from,
              std::int64_t count) override {
    cuda::check(reduce_on_device(type, reduction, into, from, count, stream_.get()), "reduce on the device");
  }
  void average(DataType type, int ranks, std::byte* into, std::int64_t count) override {
    cuda::check(average_on_device(type, ranks, into, count, stream_.get()), "divide on the device");
  }

  bool is_idle() override { return cuda::is_finished(stream_.get(), "run a collective"); }

  void begin_keeping() override {
    // NCCL's own threads may allocate while this one captures.
    cuda::check(cudaStreamBeginCapture(stream_.get(), cudaStreamCaptureModeThreadLocal), "begin to capture");
  }
  std::unique_ptr<Replay> end_keeping() override {
    cudaGraph_t captured = nullptr;
    const cudaError_t status = cudaStreamEndCapture(stream_.get(), &captured);
    const Graph graph(captured);
    cuda::check(status, "capture a collective");
    cudaGraphExec_t made = nullptr;
    cuda::check(cudaGraphInstantiate(&made, graph.get(), 0), "make a graph of a collective");
    return std::make_unique<CudaReplay>(GraphExec(made), stream_.get());
  }

 private:
  void move(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, const char* doing) {
    if (bytes == 0) return;
    cuda::check(cudaMemcpyAsync(to, from, bytes, kind, stream_.get()), doing);
    cuda::check(cudaStreamSynchronize(stream_.get()), doing);
  }

  cuda::Stream stream_;
};

}  // namespace

std::optional<std::string> why_no_gpu() {
  int count = 0;
  cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaSuccess && count == 0) status = cudaErrorNoDevice;
  if (status == cudaSuccess) return std::nullopt;
  static_cast<void>(cudaGetLastError());
  return cudaGetErrorString(status);
}

std::unique_ptr<Accelerator> make_cuda_accelerator(int device) {
  return std::make_unique<CudaAccelerator>(device);
}

}  // namespace assay::collectives
