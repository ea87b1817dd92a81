// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/loopback_team.hpp"

#include <utility>

#include "harness/team/hello.hpp"
#include "harness/team/thread_team.hpp"

namespace assay::rdma {

LoopbackTeam::LoopbackTeam(team::CasesOf cases_of)
    : cases_of_(std::move(cases_of)), host_(team::hello_of_this_host().host) {
  std::vector<std::unique_ptr<team::Team>> teams = team::make_thread_teams(2);
  forward_to(std::move(teams[0]));
  second_ = std::thread([this, own = std::move(teams[1])] {
    try {
      team::follow(*own, cases_of_);
    } catch (const std::exception&) {
      // Rank 0 has gone, or was told what failed.
    }
  });
}

LoopbackTeam::~LoopbackTeam() {
  leave();
  second_.join();
}

}  // namespace assay::rdma
