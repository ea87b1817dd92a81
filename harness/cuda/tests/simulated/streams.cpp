// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Streams and events of the CUDA runtime.
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "harness/core/tests/simulated/node.hpp"
#include "harness/cuda/tests/simulated/simulated_gpu.hpp"

using namespace assay::cuda::simulated;

struct Reached {
  std::mutex mutex;
  int recorded = 0, reached = 0;  // how often
  double reached_s = 0;
};

/// Streams may come to it after it was destroyed.
struct CUevent_st {
  std::shared_ptr<Reached> state = std::make_shared<Reached>();
};

struct CUgraph_st {
  std::vector<std::function<void()>> work;
};
struct CUgraphExec_st : CUgraph_st {};

/// One piece of work of a stream.
struct StreamWork {
  std::function<void()> run;
  double not_before_s = 0;  // when the host queued it
};

/// Virtual time of the host: the latest that it waited for.
std::atomic<double>& host_s() {
  static std::atomic<double> now{0};
  return now;
}

void host_has_seen(double s) {
  for (double before = host_s(); before < s && !host_s().compare_exchange_weak(before, s);) {
  }
}

thread_local CUstream_st* current_stream = nullptr;

struct CUstream_st {
  explicit CUstream_st(int on_slot)
      : slot(on_slot), thread([this](const std::stop_token& stop) { serve(stop); }) {}

  void push(std::function<void()> work) {
    const std::lock_guard lock(mutex);
    if (kept) return kept->work.push_back(std::move(work));
    queue.push_back({std::move(work), host_s()});
    work_begins(slot);
    wake.notify_one();
  }
  bool is_idle() {
    const std::lock_guard lock(mutex);
    const bool idle = queue.empty() && !busy;
    if (idle) host_has_seen(now_s);
    return idle;
  }
  void serve(const std::stop_token& stop) {
    current_stream = this;
    std::unique_lock lock(mutex);
    while (wake.wait(lock, stop, [this] { return !queue.empty(); })) {
      const StreamWork work = std::move(queue.front());
      queue.pop_front();
      busy = true;
      lock.unlock();
      now_s = std::max<double>(now_s, work.not_before_s);
      if (gpu_status() == cudaSuccess) work.run();
      work_ends();
      lock.lock();
      busy = false;
    }
  }

  std::mutex mutex;
  std::condition_variable_any wake;
  std::deque<StreamWork> queue;
  int slot;
  std::atomic<double> now_s{0};
  bool busy = false;
  std::unique_ptr<CUgraph_st> kept;  // while it captures
  std::jthread thread;
};

namespace {

std::mutex streams_mutex;
std::set<cudaStream_t>& streams() {
  static std::set<cudaStream_t> all;
  return all;
}

cudaStream_t make_stream() {
  const auto stream = new CUstream_st(current_slot());
  const std::lock_guard lock(streams_mutex);
  streams().insert(stream);
  return stream;
}

/// Never destroyed: what is queued on it may outlive main().
cudaStream_t default_stream() {
  static const cudaStream_t stream = make_stream();
  return stream;
}

cudaStream_t named(cudaStream_t stream) { return stream == nullptr ? default_stream() : stream; }

double now_s() {
  if (time_is_virtual()) return stream_now_s();
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

namespace assay::cuda::simulated {

void queue_work(cudaStream_t stream, std::function<void()> work) { named(stream)->push(std::move(work)); }

void spend(double seconds) {
  if (!time_is_virtual() || current_stream == nullptr) return;
  current_stream->now_s = current_stream->now_s + spend_on(current_stream->slot, seconds);
}
double stream_now_s() { return current_stream == nullptr ? 0 : current_stream->now_s.load(); }
double stream_clock_mhz() { return clock_mhz_of(current_stream == nullptr ? 0 : current_stream->slot); }

bool product_is_wrong() {
  core::simulated::Node& node = core::simulated::Node::shared();
  const int slot = current_stream == nullptr ? 0 : current_stream->slot;
  const std::uint64_t products = ++node.activity(slot).products;
  return slot == node.faults().wrong_gpu && node.faults().wrong_once_in > 0 &&
         products % node.faults().wrong_once_in == 0;
}

}  // namespace assay::cuda::simulated

extern "C" {

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  *stream = make_stream();
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
  if (named(stream)->kept) return remember(cudaErrorStreamCaptureUnsupported);
  return named(stream)->is_idle() ? cudaSuccess : remember(cudaErrorNotReady);
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  if (named(stream)->kept) return remember(cudaErrorStreamCaptureUnsupported);
  while (!named(stream)->is_idle()) std::this_thread::yield();
  return gpu_status();
}
cudaError_t cudaDeviceSynchronize() {
  if (gpu().resident_blocks > 0) ++gpu().forbidden_calls;
  const std::lock_guard lock(streams_mutex);
  for (cudaStream_t stream : streams()) cudaStreamSynchronize(stream);
  return gpu_status();
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  const std::lock_guard lock(stream->mutex);
  if (stream->kept) return remember(cudaErrorIllegalState);
  stream->kept = std::make_unique<CUgraph_st>();
  return gpu_status();
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  const std::lock_guard lock(stream->mutex);
  *graph = stream->kept.release();
  return *graph == nullptr ? remember(cudaErrorIllegalState) : gpu_status();
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* made, cudaGraph_t graph, unsigned long long) {
  *made = new CUgraphExec_st{{graph->work}};
  return gpu_status();
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream) {
  for (const std::function<void()>& work : graph->work) queue_work(stream, work);
  return gpu_status();
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return gpu_status();
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph) {
  delete graph;
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
    const std::lock_guard lock(event->state->mutex);
    ++event->state->recorded;
  }
  queue_work(stream, [state = event->state] {
    const std::lock_guard lock(state->mutex);
    ++state->reached;
    state->reached_s = now_s();
  });
  return gpu_status();
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  const std::lock_guard lock(event->state->mutex);
  queue_work(stream, [state = event->state, times = event->state->recorded] {
    const auto reached = [&] {
      const std::lock_guard now(state->mutex);
      return state->reached >= times;
    };
    while (!reached() && gpu_status() == cudaSuccess) std::this_thread::yield();
    const std::lock_guard now(state->mutex);
    if (time_is_virtual()) current_stream->now_s = std::max(current_stream->now_s.load(), state->reached_s);
  });
  return gpu_status();
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  if (gpu_status() != cudaSuccess) return gpu_status();
  const std::lock_guard lock(event->state->mutex);
  if (event->state->reached != event->state->recorded) return remember(cudaErrorNotReady);
  if (time_is_virtual()) host_has_seen(event->state->reached_s);
  return cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  if (gpu_status() != cudaSuccess) return gpu_status();
  const Reached &from = *begin->state, &to = *end->state;
  const std::scoped_lock lock(begin->state->mutex, end->state->mutex);
  if (from.recorded == 0 || to.recorded == 0) return remember(cudaErrorInvalidResourceHandle);
  if (from.reached < from.recorded || to.reached < to.recorded) return remember(cudaErrorNotReady);
  *milliseconds = static_cast<float>(1e3 * (to.reached_s - from.reached_s));
  return cudaSuccess;
}

}  // extern "C"
