// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Copies between GPUs of one NVLink domain, also on different nodes: each rank exports its memory, maps that
// of its peers and copies on its own GPU. Every rank begins at a barrier, outside of the time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collectives/measure/connected_ranks.hpp"
#include "collectives/nvlink_domain/domain_copy.hpp"
#include "harness/core/measure/benchmark.hpp"
#include "harness/team/team.hpp"

namespace assay::collectives {

/// Why this process cannot; empty where it may.
std::optional<std::string> why_no_nvlink_domain();

class DomainTrial {
 public:
  virtual ~DomainTrial() = default;

  virtual core::Timing enqueue(std::int64_t iterations) = 0;
  virtual void sampling_begins() = 0;
  virtual core::Verification check() = 0;
  virtual std::vector<core::Fact> facts() const = 0;
};

/// Every rank calls it at the same time. Throws core::Error (cuda); Unsupported where the ranks are in no
/// NVLink domain, or share a GPU and were not asked to.
std::unique_ptr<DomainTrial> make_domain_trial(team::Team& team, const DomainPlan& plan,
                                               ConnectedRanks connected, bool ranks_share_gpu);

}  // namespace assay::collectives
