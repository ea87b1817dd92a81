// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Linked where this build has no CUDA toolkit or no nccl.h.
#include "collectives/nccl/nccl_back_end.hpp"
#include "harness/core/error.hpp"
#include "harness/core/measure/benchmark.hpp"

namespace assay::collectives {

std::optional<std::string> nccl_not_built() { return ASSAY_NCCL_LACKS; }

std::optional<std::string> why_no_nccl() { return core::built_without(*nccl_not_built()); }

std::string nccl_version_here() { return {}; }

std::unique_ptr<NcclWorld> open_nccl(team::Team&, const NcclWorldOptions&) {
  throw core::Unsupported(core::ErrorKind::nccl, *why_no_nccl());
}

}  // namespace assay::collectives
