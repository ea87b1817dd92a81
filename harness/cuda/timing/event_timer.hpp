// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Time between two points of a stream, by events; and waiting for a stream with a time limit.
#pragma once

#include <chrono>
#include <string_view>

#include "harness/cuda/handles.hpp"

namespace assay::cuda {

class EventTimer {
 public:
  EventTimer() : start_(make_event(EventUse::timing)), stop_(make_event(EventUse::timing)) {}

  void start(cudaStream_t stream);
  void stop(cudaStream_t stream);
  /// Seconds between the two; both must have been reached. Resolution is about 0.5 us.
  double seconds() const;

 private:
  Event start_, stop_;
};

/// Returns when everything queued on `stream` has run. Throws core::Error(cuda); past `limit` the error
/// poisons the process, because a kernel that never ends cannot be stopped from here.
void wait_for(cudaStream_t stream, std::string_view doing, std::chrono::duration<double> limit);

}  // namespace assay::cuda
