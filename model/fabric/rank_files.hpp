// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// An order of ranks as the files that launchers and schedulers read.
#pragma once

#include <span>
#include <string>

namespace assay::model::fabric {

/// The place where a rank runs.
struct RankPlace {
  std::string host;
  int gpu = 0;
};

/// Places in the order of ranks. Open MPI's hostfile, "node3 slots=8", for ranks mapped by slot. Throws a
/// usage Error where the ranks of a host do not follow each other: such an order has no hostfile.
std::string hostfile_of(std::span<const RankPlace> places);

/// The file that SLURM_HOSTFILE names for `srun --distribution=arbitrary`: a host a line, a line a rank.
std::string slurm_hosts_of(std::span<const RankPlace> places);

/// With the header "rank,host,gpu".
std::string rank_map_of(std::span<const RankPlace> places);

}  // namespace assay::model::fabric
