// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/tests/fakes/simulated_gpu.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "offload/clock.hpp"

using assay::offload::tests::gpu;
using assay::offload::tests::gpu_status;
using assay::offload::tests::queue_work;

struct CUevent_st {
  std::mutex mutex;
  int recorded = 0, reached = 0;  // how often
  double reached_s = 0;
};

struct CUstream_st {
  CUstream_st() : thread([this](const std::stop_token& stop) { serve(stop); }) {}

  void push(std::function<void()> work) {
    const std::lock_guard lock(mutex);
    queue.push_back(std::move(work));
    wake.notify_one();
  }
  bool is_idle() {
    const std::lock_guard lock(mutex);
    return queue.empty() && !busy;
  }
  void serve(const std::stop_token& stop) {
    std::unique_lock lock(mutex);
    while (wake.wait(lock, stop, [this] { return !queue.empty(); })) {
      const std::function<void()> work = std::move(queue.front());
      queue.pop_front();
      busy = true;
      lock.unlock();
      if (gpu_status() == cudaSuccess) work();
      lock.lock();
      busy = false;
    }
  }

  std::mutex mutex;
  std::condition_variable_any wake;
  std::deque<std::function<void()>> queue;
  bool busy = false;
  std::jthread thread;
};

namespace {

std::atomic<bool> lost{false};
thread_local int current_device = 0;

std::mutex streams_mutex;
std::set<cudaStream_t>& streams() {
  static std::set<cudaStream_t> all;
  return all;
}

void may_wait() {
  if (gpu().resident_blocks > 0) ++gpu().forbidden_calls;
}

cudaError_t allocate(void** memory, std::size_t bytes) {
  may_wait();
  *memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  return gpu_status();
}

cudaError_t release(void* memory) {
  may_wait();
  std::free(memory);
  return gpu_status();
}

}  // namespace

namespace assay::offload::tests {

SimulatedGpu& gpu() {
  static SimulatedGpu one;
  return one;
}

void queue_work(cudaStream_t stream, std::function<void()> work) {
  if (stream == nullptr)
    work();
  else
    stream->push(std::move(work));
}

cudaError_t gpu_status() { return lost ? cudaErrorLaunchFailure : cudaSuccess; }
void lose_gpu() { lost = true; }

}  // namespace assay::offload::tests

extern "C" {

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  *stream = new CUstream_st;
  const std::lock_guard lock(streams_mutex);
  streams().insert(*stream);
  return gpu_status();
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  *least = 0;
  *greatest = -5;
  return gpu_status();
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  if (priority == -5) ++gpu().urgent_streams;
  return cudaStreamCreateWithFlags(stream, flags);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  {
    const std::lock_guard lock(streams_mutex);
    streams().erase(stream);
  }
  delete stream;
  return gpu_status();
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  if (gpu_status() != cudaSuccess) return gpu_status();
  return stream->is_idle() ? cudaSuccess : cudaErrorNotReady;
}
cudaError_t cudaDeviceSynchronize() {
  may_wait();
  const std::lock_guard lock(streams_mutex);
  for (cudaStream_t stream : streams())
    while (!stream->is_idle()) std::this_thread::yield();
  return gpu_status();
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  *event = new CUevent_st;
  return gpu_status();
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return gpu_status();
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  {
    const std::lock_guard lock(event->mutex);
    ++event->recorded;
  }
  queue_work(stream, [event] {
    const std::lock_guard lock(event->mutex);
    ++event->reached;
    event->reached_s = assay::offload::now_s();
  });
  return gpu_status();
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  const std::lock_guard lock(event->mutex);
  queue_work(stream, [event, times = event->recorded] {
    const auto reached = [&] {
      const std::lock_guard now(event->mutex);
      return event->reached >= times;
    };
    while (!reached() && gpu_status() == cudaSuccess) std::this_thread::yield();
  });
  return gpu_status();
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  if (gpu_status() != cudaSuccess) return gpu_status();
  const std::lock_guard lock(event->mutex);
  return event->reached == event->recorded ? cudaSuccess : cudaErrorNotReady;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  if (gpu_status() != cudaSuccess) return gpu_status();
  const std::scoped_lock lock(begin->mutex, end->mutex);
  if (begin->reached < begin->recorded || end->reached < end->recorded) return cudaErrorNotReady;
  *milliseconds = static_cast<float>(1e3 * (end->reached_s - begin->reached_s));
  return begin->recorded > 0 && end->recorded > 0 ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

cudaError_t cudaMalloc(void** memory, std::size_t bytes) { return allocate(memory, bytes); }
cudaError_t cudaFree(void* memory) { return release(memory); }
cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned) {
  return gpu().page_locking_fails ? cudaErrorMemoryAllocation : allocate(memory, bytes);
}
cudaError_t cudaFreeHost(void* memory) { return release(memory); }
cudaError_t cudaHostRegister(void*, std::size_t, unsigned) {
  return gpu().page_locking_fails ? cudaErrorMemoryAllocation : gpu_status();
}
cudaError_t cudaHostUnregister(void*) { return gpu_status(); }
cudaError_t cudaHostGetDevicePointer(void** there, void* here, unsigned) {
  *there = here;
  return gpu_status();
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind,
                            cudaStream_t stream) {
  queue_work(stream, [=] { std::memcpy(to, from, bytes); });
  return gpu_status();
}
cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, std::size_t bytes,
                                cudaStream_t stream) {
  return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return cudaMemcpyAsync(to, from, bytes, kind, nullptr);
}
cudaError_t cudaMemsetAsync(void* to, int byte, std::size_t bytes, cudaStream_t stream) {
  queue_work(stream, [=] { std::memset(to, byte, bytes); });
  return gpu_status();
}
cudaError_t cudaMemset(void* to, int byte, std::size_t bytes) {
  return cudaMemsetAsync(to, byte, bytes, nullptr);
}
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  *free = *total = std::size_t{1} << 30;
  return gpu_status();
}

cudaError_t cudaGetLastError() { return cudaSuccess; }
const char* cudaGetErrorString(cudaError_t) { return "unspecified launch failure"; }
const char* cudaGetErrorName(cudaError_t) { return "simulated"; }
cudaError_t cudaGetDevice(int* device) {
  *device = current_device;
  return gpu_status();
}
cudaError_t cudaSetDevice(int device) {
  current_device = device;
  return gpu_status();
}
cudaError_t cudaGetDeviceCount(int* count) {
  *count = gpu().devices;
  return gpu_status();
}
cudaError_t cudaDeviceCanAccessPeer(int* possible, int, int) {
  *possible = gpu().devices_reach_each_other ? 1 : 0;
  return gpu_status();
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) { return gpu_status(); }
cudaError_t cudaDeviceDisablePeerAccess(int) { return gpu_status(); }
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  *properties = {};
  std::strcpy(properties->name, "simulated");
  properties->major = 9;
  properties->multiProcessorCount = 8;
  properties->l2CacheSize = 1 << 20;
  properties->totalGlobalMem = std::size_t{1} << 30;
  return gpu_status();
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr, int) {
  *value = 232448;
  return gpu_status();
}
cudaError_t cudaDeviceGetPCIBusId(char* text, int size, int) {
  std::strncpy(text, "0000:00:00.0", static_cast<std::size_t>(size));
  return gpu_status();
}
cudaError_t cudaDriverGetVersion(int* version) { return *version = 13000, gpu_status(); }
cudaError_t cudaRuntimeGetVersion(int* version) { return *version = 13000, gpu_status(); }

}  // extern "C"
