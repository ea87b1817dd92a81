// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Measurements whose paths are known: what max-min sharing gives their flows, and how much capacity each link
// has left for each of them.
#pragma once

#include <span>
#include <vector>

#include "model/fabric/locate/measurement.hpp"

namespace assay::model::fabric::locate {

/// A part of a measurement crosses the link, and falls by what the link loses beyond `slack`.
struct KnownCrossing {
  std::uint32_t measurement = 0;
  LinkId link = 0;
  std::uint32_t part = 0;  // queue pair, or path under adaptive routing; numbered through all measurements
  double share = 1;        // of its flow
  double slack = 0;
};

struct KnownPaths {
  std::vector<double> rate;              // bytes/us, of each measurement; 0 where a path is unknown
  std::vector<KnownCrossing> crossings;  // by measurement
};

/// Flow i has rate r_i and weight w_i, its share of the bytes. If its link had only the capacity C', max-min
/// sharing would leave the flows on it, which do not ask for more than now, min(r_i, level w_i). The flow
/// begins to lose where the level is r_i/w_i: at C' = sum over flows j of min(r_j, w_j r_i/w_i). The slack is
/// ln(C/C'). Beyond it, the flow is taken to lose what the link loses, which is exact for flows of equal
/// rate. Under QueuePairRule::slowest, a flow ends with the slowest of its queue pairs, and what others have
/// left is slack as well; under `average`, a queue pair loses with its link however few bytes it has there,
/// so that ln(1/w_i) is taken off (derived here). Throws a usage Error where hosts are separated.
KnownPaths known_paths(const Router& router, std::span<const Measurement> measurements,
                       Concurrency concurrency, QueuePairRule rule = QueuePairRule::slowest);

}  // namespace assay::model::fabric::locate
