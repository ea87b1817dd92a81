// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Sizes at which a library chose its algorithm badly, by its own times: a larger message contains the smaller
// one, so where it took less time, padding would have been faster. A lower bound of the regret, without any
// time of the alternatives.
#pragma once

#include <string>
#include <vector>

#include "model/fit/rows/timing_rows.hpp"

namespace assay::model::fit {

struct Overtaken {
  std::string curve;
  double size_bytes = 0, time_us = 0;
  double larger_bytes = 0, larger_us = 0;  // the fastest of the larger sizes

  double regret() const { return time_us / larger_us; }
};

/// Regrets below this may be noise of the timings.
inline constexpr double least_regret = 1.05;

/// The overtaken sizes of curves whose algorithm the library chose; the largest regret first. Repetitions
/// count with their median.
std::vector<Overtaken> overtaken_sizes(const std::vector<CollectiveRow>& rows);

}  // namespace assay::model::fit
