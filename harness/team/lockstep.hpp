// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A module on several ranks: rank 0 runs the point loop and orders the others, who hold the same cases, what
// to do next. The slowest rank's time counts.
#pragma once

#include <functional>
#include <vector>

#include "harness/core/measure/benchmark.hpp"
#include "harness/core/measure/witness.hpp"
#include "harness/team/team_keeper.hpp"

namespace assay::team {

/// The cases a rank of this team runs; a trial may talk to its counterparts through the team, in every call
/// that all of them make at the same time: prepare, run, verify, metrics and facts.
using CasesOf = std::function<std::vector<core::Case>(Team&)>;

/// Rank 0's cases. `declared` are listed and planned without any team; preparing one forms the team, has
/// every rank prepare its own (from `cases_of`), and measures in lockstep. Metrics, facts and flows are
/// rank 0's; links and other ranks' facts carry their rank. Both arguments must outlive the cases.
std::vector<core::Case> lead(TeamKeeper& keeper, const CasesOf& cases_of, std::vector<core::Case> declared);

/// The other ranks: follows rank 0's orders until it dismisses the team. Throws PeerLost when rank 0 is lost.
/// `witness`, where there is one, sees what this rank does.
void follow(Team& team, const CasesOf& cases_of, core::Witness* witness = nullptr);

/// Rank 0: no more orders come; followers return. Never throws; does nothing where there is no team.
void dismiss(TeamKeeper& keeper);

}  // namespace assay::team
