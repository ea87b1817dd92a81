// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The rank that a launcher gave this process, and of how many, found without contacting the others.
#pragma once

#include <optional>

#include "harness/team/join/rendezvous.hpp"

namespace assay::team {

struct LaunchedPlace {
  int rank = 0, size = 1;
};

/// From torchrun's variables, Open MPI's, or Slurm's. None where no launcher is, or where it started one rank
/// only. Throws core::Error (usage) for nonsense.
std::optional<LaunchedPlace> launched_place(const Environment& environment = environment_of_this_process());

}  // namespace assay::team
