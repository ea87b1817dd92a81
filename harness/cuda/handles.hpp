// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Owners of streams and events, and the guard that makes a device current for a scope.
#pragma once

#include <cuda_runtime_api.h>

#include <string_view>

#include "harness/core/files/handle.hpp"

namespace assay::cuda {

using Stream = core::Handle<cudaStream_t, cudaStreamDestroy>;
using Event = core::Handle<cudaEvent_t, cudaEventDestroy>;

/// Whose thread blocks are placed first, of those that wait for a multiprocessor. None is taken off one.
enum class StreamPriority { ordinary, urgent };

/// A stream of the current device that does not wait for the default stream. Throws core::Error(cuda).
Stream make_stream(StreamPriority priority = StreamPriority::ordinary);

enum class EventUse { timing, ordering };
Event make_event(EventUse use);

/// Both of use `timing`, and reached. Throws core::Error(cuda) naming what was `doing`.
double seconds_between(const Event& begin, const Event& end, std::string_view doing);

/// Makes `device` current until destruction, then the one before it again. Throws core::Error(cuda).
class DeviceGuard {
 public:
  explicit DeviceGuard(int device);
  ~DeviceGuard();
  DeviceGuard(const DeviceGuard&) = delete;
  DeviceGuard& operator=(const DeviceGuard&) = delete;

 private:
  int before_ = 0;
};

}  // namespace assay::cuda
