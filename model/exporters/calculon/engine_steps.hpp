// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Staircases of a memory alone, and of an engine whose memory is known: an operation takes the longer of the
// two (Calculon's `roofline`).
#pragma once

#include <vector>

#include "model/exporters/calculon/gemm_staircases.hpp"

namespace assay::model::calculon {

/// One operation as an engine and a memory see it.
struct EngineRow {
  double flop = 0, bytes = 0, s = 0;
};

struct PeakAndSteps {
  double peak_per_s = 0;  // FLOP/s or bytes/s
  EfficiencySteps steps;
};

/// One step for each octave of bytes: the median rate of its rows over the fastest median, which is the peak.
/// `rows` is not empty; FLOPs do not count.
PeakAndSteps memory_steps(const std::vector<EngineRow>& rows);

/// The peak is the fastest row's rate. One step for each half octave of FLOPs: the efficiency at which the
/// relative errors of its rows sum to the least, the highest of equals: rows that wait for the memory
/// determine none. `rows` is not empty.
PeakAndSteps engine_steps(const std::vector<EngineRow>& rows, const PeakAndSteps& memory);

}  // namespace assay::model::calculon
