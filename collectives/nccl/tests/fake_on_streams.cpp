// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The fake NCCL on the simulated GPU: what is enqueued runs in its stream's turn.
#include <utility>

#include "collectives/nccl/tests/fake_parts.hpp"
#include "harness/cuda/tests/simulated/simulated_gpu.hpp"

namespace assay::collectives {

void queue_on(cudaStream_t stream, std::function<void()> work) {
  cuda::simulated::queue_work(stream, std::move(work));
}

}  // namespace assay::collectives
