// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The gain that chance alone gives the best of all elements: residuals are dealt to measurements at random,
// again and again, which keeps their distribution, however heavy its tails, and the routing matrix (Westfall
// and Young 1993, "Resampling-based multiple testing"). A Gumbel distribution fitted to the maxima by its
// moments extrapolates to rare ones.
#pragma once

#include <cstdint>
#include <span>

#include "model/fabric/locate/noise.hpp"
#include "model/fabric/locate/paths/incidence.hpp"

namespace assay::model::fabric::locate {

struct Chance {
  double location = 0, width = 0;  // of the Gumbel distribution

  /// The gain that chance exceeds with `probability`, in (0, 1).
  double gain(double probability) const;
  /// With which probability chance gives at least this gain.
  double probability(double gain) const;
};

/// `residuals` and `scales` as of Evidence. The same seed gives the same figures on every machine.
Chance chance_of(const Incidence& incidence, std::span<const double> residuals,
                 std::span<const double> scales, const Noise& noise, int deals, std::uint64_t seed);

}  // namespace assay::model::fabric::locate
