// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The SM clock over a stretch of a stream: every SM's cycle counter and the GPU's nanosecond timer are
// stamped before and after. Counters of different SMs have different origins, so only stamps of the same SM
// are subtracted.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <span>

#include "harness/cuda/buffers.hpp"
#include "harness/cuda/kernels.hpp"

namespace assay::cuda {

/// Medians over the SMs that were stamped both times; sms == 0 says nothing is known.
struct ClockSpan {
  int sms = 0;
  double cycles = 0;       // SM clock cycles between the stamps
  double nanoseconds = 0;  // global timer between the stamps

  double mhz() const;  // cycles / ns in MHz; NaN when unknown
};

/// Spans of equal length: slot i is SM i. SMs with a missing stamp or a counter that went backwards are left
/// out.
ClockSpan clock_span(std::span<const SmStamp> before, std::span<const SmStamp> after);

class SmClock {
 public:
  explicit SmClock(int sm_count);

  /// Forgets both stamps. No stamp may be in flight.
  void reset();
  void stamp_before(cudaStream_t stream) { stamp(0, stream); }
  void stamp_after(cudaStream_t stream) { stamp(1, stream); }
  /// Read after the stream has finished.
  ClockSpan read() const;

 private:
  // %smid may exceed the SM count on parts with fused-off units.
  static constexpr std::size_t slots = 1024;
  void stamp(std::size_t which, cudaStream_t stream);

  PinnedBuffer stamps_;
  int blocks_;
};

}  // namespace assay::cuda
