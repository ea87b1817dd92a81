// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Linked where this build found no nccl.h.
#include "harness/core/error.hpp"
#include "harness/core/measure/benchmark.hpp"
#include "offload/interference/nccl_load.hpp"

namespace assay::offload {

std::optional<std::string> nccl_not_built() { return "NCCL's header"; }

std::optional<std::string> nccl_unavailable(int) { return core::built_without(*nccl_not_built()); }

std::unique_ptr<DeviceLoad> make_nccl_load(std::int64_t, int) {
  throw core::Unsupported(core::ErrorKind::nccl, *nccl_unavailable(0));
}

}  // namespace assay::offload
