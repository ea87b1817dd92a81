// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How the ranks of a point reach one another, and the post where a watch asks each.
#pragma once

#include <memory>
#include <string>

#include "collectives/measure/collective_settings.hpp"
#include "collectives/mpi/mpi_transport.hpp"
#include "collectives/transport/transport.hpp"
#include "collectives/watch/watch_post.hpp"

namespace assay::collectives {

struct ConnectedRanks {
  std::shared_ptr<WatchPost> post;
  std::unique_ptr<Transport> transport;  // of all ranks, noting in the post's ring
  std::string transport_name;
};

/// MPI's point to point where MPI started the ranks (`mpi`), else sockets.
ConnectedRanks connect_ranks(const CaseMaker& maker, const MpiDataCalls* mpi);

enum class HostTransport { tcp, shared_memory };
/// Ranks 0 and 1, for themselves: other ranks get no transport.
ConnectedRanks connect_pair(const CaseMaker& maker, HostTransport wanted, Waiting waiting);

}  // namespace assay::collectives
