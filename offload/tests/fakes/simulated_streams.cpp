// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/tests/fakes/simulated_streams.hpp"

#include <cstring>
#include <deque>
#include <set>
#include <utility>
#include <vector>

struct CUevent_st {
  int recorded = 0, reached = 0;  // how often
  double reached_at = 0;          // entries run until then
};

struct CUstream_st {
  struct Entry {
    cudaEvent_t awaited = nullptr;  // goes on once it was reached so often
    int times = 0;
    std::function<void()> work;
  };
  std::deque<Entry> entries;
};

namespace {

std::set<cudaStream_t>& streams() {
  static std::set<cudaStream_t> all;
  return all;
}
double entries_run = 0;
cudaError_t copies_are = cudaSuccess;

bool may_go_on(const CUstream_st& stream) {
  if (stream.entries.empty()) return false;
  const CUstream_st::Entry& first = stream.entries.front();
  return first.awaited == nullptr || first.awaited->reached >= first.times;
}

}  // namespace

namespace assay::offload::tests {

void queue_work(cudaStream_t stream, std::function<void()> work) {
  stream->entries.push_back({.work = std::move(work)});
}

void answer_copies_with(cudaError_t status) { copies_are = status; }

bool run_one(std::mt19937& random) {
  std::vector<cudaStream_t> ready;
  for (cudaStream_t stream : streams())
    if (may_go_on(*stream)) ready.push_back(stream);
  if (ready.empty()) return false;
  CUstream_st& chosen = *ready[random() % ready.size()];
  const CUstream_st::Entry entry = std::move(chosen.entries.front());
  chosen.entries.pop_front();
  ++entries_run;
  if (entry.work) entry.work();
  return true;
}

}  // namespace assay::offload::tests

extern "C" {

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  *stream = new CUstream_st;
  streams().insert(*stream);
  return cudaSuccess;
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  *least = *greatest = 0;
  return cudaSuccess;
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int) {
  return cudaStreamCreateWithFlags(stream, flags);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  streams().erase(stream);
  delete stream;
  return cudaSuccess;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  *event = new CUevent_st;
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  ++event->recorded;
  assay::offload::tests::queue_work(stream, [event] {
    ++event->reached;
    event->reached_at = entries_run;
  });
  return cudaSuccess;
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return stream->entries.empty() ? cudaSuccess : cudaErrorNotReady;
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  return event->reached == event->recorded ? cudaSuccess : cudaErrorNotReady;
}
// As the runtime: of the records until now, and of none where there was none.
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  stream->entries.push_back({.awaited = event, .times = event->recorded, .work = {}});
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind,
                            cudaStream_t stream) {
  if (copies_are == cudaSuccess)
    assay::offload::tests::queue_work(stream, [=] { std::memcpy(to, from, bytes); });
  return copies_are;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  if (begin->reached == 0 || end->reached == 0) return cudaErrorInvalidResourceHandle;
  *milliseconds = static_cast<float>(end->reached_at - begin->reached_at);
  return cudaSuccess;
}
cudaError_t cudaGetLastError() { return cudaSuccess; }
const char* cudaGetErrorString(cudaError_t) { return "simulated"; }
const char* cudaGetErrorName(cudaError_t) { return "simulated"; }
cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int) { return cudaSuccess; }

}  // extern "C"
