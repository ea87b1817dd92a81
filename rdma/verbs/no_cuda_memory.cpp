// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/error.hpp"
#include "rdma/verbs/memory.hpp"

namespace assay::rdma {

std::optional<std::string> cuda_memory_not_built() { return "CUDA"; }

std::unique_ptr<Memory> make_cuda_memory(bool, std::size_t, int) {
  throw core::Unsupported(core::ErrorKind::cuda, "this build has no CUDA: no device memory");
}

}  // namespace assay::rdma
