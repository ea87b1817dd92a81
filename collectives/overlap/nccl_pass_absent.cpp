// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Linked where this build has no CUDA toolkit or no nccl.h.
#include "collectives/overlap/nccl_pass.hpp"
#include "harness/core/error.hpp"

namespace assay::collectives {

std::optional<std::string> why_no_nccl_pass() { return why_no_nccl(); }

std::unique_ptr<TimedPass> make_nccl_pass(team::Team&, NcclPassSetup) {
  throw core::Unsupported(core::ErrorKind::nccl, *why_no_nccl_pass());
}

}  // namespace assay::collectives
