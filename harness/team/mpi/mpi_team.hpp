// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A team of the ranks that mpirun (or srun with PMIx) started; MPI carries control messages only.
#pragma once

#include <filesystem>
#include <memory>

#include "harness/team/handshake/hello.hpp"
#include "harness/team/mpi/mpi_calls.hpp"
#include "harness/team/team.hpp"

namespace assay::team {

/// lib/assay/assay_team_mpi.so next to the folder of the running program.
std::filesystem::path mpi_plugin_path();

/// Opens the plug-in. Throws core::Error (usage) with one line when it or the MPI library is missing.
const MpiCalls& load_mpi(const std::filesystem::path& plugin);

/// All ranks of MPI's world; once in a process. `limit_s`: until everyone has introduced itself. Throws
/// core::Error (usage) where ranks disagree, PeerLost where one does not come.
std::unique_ptr<Team> make_mpi_team(const MpiCalls& calls, const Hello& mine, double limit_s = 60);

}  // namespace assay::team
