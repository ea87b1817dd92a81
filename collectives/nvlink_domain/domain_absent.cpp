// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Linked where this build has no CUDA toolkit or no nccl.h.
#include "collectives/nvlink_domain/domain_trial.hpp"
#include "harness/core/error.hpp"

namespace assay::collectives {

std::optional<std::string> why_no_nvlink_domain() {
  return "CUDA or nccl.h was not found when this program was built";
}

std::unique_ptr<DomainTrial> make_domain_trial(team::Team&, const DomainPlan&, ConnectedRanks, bool) {
  throw core::Unsupported(core::ErrorKind::cuda, *why_no_nvlink_domain());
}

}  // namespace assay::collectives
