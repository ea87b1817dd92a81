// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// An operation on device memory that is queued without waiting for it.
#pragma once

#include <cuda_runtime_api.h>

#include "collectives/measure/runner.hpp"

namespace assay::collectives {

class QueuedRunner : public Runner {
 public:
  virtual cudaStream_t stream() = 0;
  /// Once, on the stream; every rank calls it. Throws core::Error (nccl).
  virtual void enqueue() = 0;
  /// Until the stream is idle. Throws core::Error (nccl, cuda); TimedOut where a rank never came.
  virtual void wait() = 0;
};

}  // namespace assay::collectives
