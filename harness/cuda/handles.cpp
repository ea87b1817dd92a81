// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/cuda/handles.hpp"

#include <fmt/format.h>

#include "harness/cuda/check.hpp"

namespace assay::cuda {

Stream make_stream(StreamPriority priority) {
  cudaStream_t stream = nullptr;
  if (priority == StreamPriority::ordinary) {
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "create a stream");
  } else {
    int least = 0, greatest = 0;
    check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "ask for the priorities of streams");
    check(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest), "create an urgent stream");
  }
  return Stream(stream);
}

Event make_event(EventUse use) {
  cudaEvent_t event = nullptr;
  check(cudaEventCreateWithFlags(&event, use == EventUse::timing ? cudaEventDefault : cudaEventDisableTiming),
        "create an event");
  return Event(event);
}

double seconds_between(const Event& begin, const Event& end, std::string_view doing) {
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()), doing);
  return 1e-3 * static_cast<double>(milliseconds);
}

DeviceGuard::DeviceGuard(int device) {
  check(cudaGetDevice(&before_), "read the current device");
  check(cudaSetDevice(device), fmt::format("make device {} current", device));
}

DeviceGuard::~DeviceGuard() {
  if (!context_is_lost()) static_cast<void>(cudaSetDevice(before_));
}

}  // namespace assay::cuda
