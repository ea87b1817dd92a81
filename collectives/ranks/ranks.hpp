// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How this process comes by the other ranks: a launcher started them, or it starts them itself.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collectives/measure/module_settings.hpp"
#include "collectives/ranks/local_ranks.hpp"
#include "harness/core/measure/witness.hpp"
#include "harness/team/team.hpp"

namespace assay::collectives {

/// Ranks a team will have, without forming it.
int planned_ranks(const ModuleSettings& settings);

/// Starts `local` ranks, or, where there are none, meets the launcher's (not `again`: they are gone for
/// good). Throws core::Error with one line where that cannot be.
std::unique_ptr<team::Team> form_team(const ModuleSettings& settings,
                                      const std::vector<std::string>& arguments, LocalRanks* local,
                                      bool again);

/// Does once, in the process that the ranks of this host are copies of, work that each would repeat.
void prepare_ranks();

/// In a process that was started as another rank than 0: follows rank 0 until dismissed. Returns an exit
/// code; nothing where this process leads.
/// `witness_of` may give it a journal of its own.
using WitnessOf = std::function<std::unique_ptr<core::Witness>(int rank)>;
std::optional<int> follow_if_launched(const std::vector<std::string>& arguments, const WitnessOf& witness_of);

}  // namespace assay::collectives
