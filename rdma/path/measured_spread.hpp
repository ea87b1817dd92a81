// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Bandwidths measured per flow, compared with what flows get when an ideal hash deals them to uplinks that
// they share evenly. For runs in which every flow alone could fill an uplink; else nothing is shared and
// nothing shows.
#pragma once

#include <cstdint>
#include <span>

#include "harness/path/ideal_hash.hpp"

namespace assay::rdma {

struct MeasuredSpread {
  double jain_index = 0;        // of the measured bandwidths
  double ideal_jain_index = 0;  // median over ideal hashes
  double slowest_share = 0;     // slowest flow over the mean
  path::SpreadJudgement judgement;
};

/// `bandwidths`: one for each flow, any unit, not negative; one flow at least. A difference of 0.01 in Jain's
/// index is taken as noise of the measurement.
MeasuredSpread judge_bandwidths(std::span<const double> bandwidths, int uplinks,
                                int rounds = path::entropy_rounds, std::uint64_t seed = path::entropy_seed);

}  // namespace assay::rdma
