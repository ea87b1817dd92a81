// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Streams and events of the CUDA runtime as an order of work and nothing more: what is queued runs when a
// test says so, on whichever stream may go on. For tests of what waits for what; link it in the runtime's
// place.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <random>

namespace assay::offload::tests {

/// Queues work that has no call of the runtime.
void queue_work(cudaStream_t stream, std::function<void()> work);

/// Answers every copy queued from now on with this status.
void answer_copies_with(cudaError_t status);

/// Runs the first entry of a stream that may continue, chosen at random; false where none may.
bool run_one(std::mt19937& random);

}  // namespace assay::offload::tests
