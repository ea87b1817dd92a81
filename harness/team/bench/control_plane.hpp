// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The control plane alone: ranks as threads, joined by sealed links, that measure nothing in lockstep.
#pragma once

#include <cstddef>

#include "harness/team/tree_shape.hpp"

namespace assay::team {

struct ControlPlane {
  int ranks = 2;
  int samples = 20;
  int barriers = 0;    // that a sample has: 3 in rdma's streams, none in collectives
  int iterations = 0;  // that a sample states the time of, one by one
  TreeShape shape = {};
};

/// Bytes are those at the sockets of a rank, both ways, seals and headers included.
struct ControlTraffic {
  double leader_bytes = 0;  // a sample
  double most_bytes = 0;    // a sample, of the rank with most
  double mean_bytes = 0;
  double sample_s = 0;
  std::size_t leader_descriptors = 0, most_descriptors = 0;
};

/// Throws core::Error where this process may open too few files (two a rank) or start too few threads.
ControlTraffic control_traffic(const ControlPlane& plane);

}  // namespace assay::team
