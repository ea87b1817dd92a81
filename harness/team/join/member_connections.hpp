// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How members of an existing team open more connections among themselves: with a key made from the team's.
#pragma once

#include <string>

#include "harness/team/handshake/team_key.hpp"
#include "harness/team/team.hpp"

namespace assay::team {

/// A key for `purpose`, the same at every member that knows `salt`. Where the team has a secret, who reads
/// the salt on its way still knows nothing; else (MPI, one process, --open) it is as secret as what
/// the team says.
TeamKey key_among_members(const Trust& trust, const std::string& purpose, const std::string& salt);

/// The interface to listen at: "127.0.0.1" where all members are on this host, else "" (everywhere).
std::string interface_among_members(const Team& team);

}  // namespace assay::team
