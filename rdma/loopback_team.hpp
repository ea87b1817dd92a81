// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Rank 0 of a team whose other rank is a thread of this process: this host's device against itself.
#pragma once

#include <string>
#include <thread>

#include "harness/team/forwarding_team.hpp"
#include "harness/team/lockstep.hpp"

namespace assay::rdma {

class LoopbackTeam final : public team::ForwardingTeam {
 public:
  explicit LoopbackTeam(team::CasesOf cases_of);
  ~LoopbackTeam() override;

  std::string host_of(int) const override { return host_; }

 private:
  team::CasesOf cases_of_;
  std::string host_;
  std::thread second_;
};

}  // namespace assay::rdma
