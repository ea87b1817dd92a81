// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The class of a measurement by its counters: clean, congested, lossy, faulty, or unknown.
#pragma once

#include <vector>

#include "harness/core/measure/report.hpp"
#include "harness/link/counter_deltas.hpp"

namespace assay::link {

struct Circumstances {
  double gbit_per_s = 0,
         seconds = 0;  // of the measurement, for the rate of symbol errors that is allowed; 0: unknown
  bool adaptive_routing = false;  // packets may overtake each other: out_of_sequence alone is then normal
};

/// Unknown where a port has no counter of loss or faults, or one of them could not be followed, and no loss
/// or fault was seen elsewhere. Counters: those that show trouble, worst first; those of trouble that could
/// not be followed; those that moved without showing trouble, traffic left out.
core::LinkReport classify(const std::vector<CounterDelta>& deltas, const Circumstances& circumstances = {});

}  // namespace assay::link
