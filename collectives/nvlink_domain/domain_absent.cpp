// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Linked where this build has no CUDA toolkit or no nccl.h.
#include "collectives/nccl/nccl_back_end.hpp"
#include "collectives/nvlink_domain/domain_trial.hpp"
#include "harness/core/error.hpp"

namespace assay::collectives {

std::optional<std::string> why_no_nvlink_domain() { return why_no_nccl(); }

std::unique_ptr<DomainTrial> make_domain_trial(team::Team&, const DomainPlan&, ConnectedRanks, bool) {
  throw core::Unsupported(core::ErrorKind::cuda, *why_no_nvlink_domain());
}

}  // namespace assay::collectives
