// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The team that this process was started into, whoever started it.
#pragma once

#include <memory>

#include "harness/team/handshake/hello.hpp"
#include "harness/team/join/rendezvous.hpp"
#include "harness/team/team.hpp"

namespace assay::team {

/// torchrun's variables first, then MPI (mpirun, or srun with PMIx), then a step of srun; nullptr where no
/// launcher is. Ranks above 0 ignore SIGUSR1 from then on. Throws core::Error (usage) and PeerLost as
/// join_team and make_mpi_team do.
std::unique_ptr<Team> team_from_environment(const Hello& mine, const JoinOptions& options = {});

}  // namespace assay::team
