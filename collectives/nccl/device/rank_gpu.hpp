// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The GPU that each rank uses, and whether two use the same one: then nothing they measure is a performance.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "collectives/nccl/environment.hpp"
#include "harness/team/team.hpp"

namespace assay::collectives {

struct RankGpu {
  std::string host;         // as it calls itself
  std::string pci_address;  // MIG instances of a GPU share it, as they share the GPU
  int device = 0;           // among those the process sees
  std::string name = {};
  std::string nvlink_domain = {};  // that joins nodes (NvlinkFabric::domain); empty: in none, or unknown
};

std::string to_text(const RankGpu& gpu);
/// Throws core::Error (team) for text of another form.
RankGpu rank_gpu_from(const std::string& text);

/// The device of the rank that is the `place`-th on its host, of `visible` (> 0) that its process sees.
int device_of(int place_on_host, int visible);

/// Every rank's, by rank. All call it at the same time; `visible` and `describe` are of this process. Throws
/// core::Error (cuda) where a rank sees none.
std::vector<RankGpu> gpus_of_ranks(team::Team& team, int visible,
                                   const std::function<RankGpu(int device)>& describe);

/// How many of `hosts` (by rank) before `rank` are its own.
int place_on_host(const std::vector<std::string>& hosts, int rank);

/// "ranks 0 and 2 share the GPU 0000:1b:00.0 of h1"; empty where every rank has its own.
std::string who_shares(const std::vector<RankGpu>& by_rank);

/// "rank 0 is in NVLink domain A and rank 3 in B"; empty where all may be in the same.
std::string who_is_apart(const std::vector<RankGpu>& by_rank);

/// Nodes as NCCL counts them: hosts, or ranks where each pretends to be one.
int nodes_of(const std::vector<RankGpu>& by_rank, bool each_rank_a_node);

/// Variables that let several ranks share one GPU: each is another host to NCCL, which otherwise refuses,
/// over sockets, with few blocks, as their kernels run in turns.
std::vector<Variable> sharing_variables(int rank, bool on_one_host);

}  // namespace assay::collectives
