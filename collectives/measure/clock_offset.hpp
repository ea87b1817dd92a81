// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How far each rank's clock is from rank 0's, so that arrival times of different hosts can be compared.
#pragma once

#include "collectives/transport/transport.hpp"

namespace assay::collectives {

struct ClockOffset {
  double seconds = 0;        // to subtract from this rank's clock
  double uncertainty_s = 0;  // half of the shortest round trip
};

/// Every rank calls it: rank 0 exchanges a few messages with each rank in turn and takes the fastest
/// (Cristian 1989). An offset within its own uncertainty is taken for none: ranks of one host share a clock.
ClockOffset offset_from_rank_0(Transport& transport);

}  // namespace assay::collectives
