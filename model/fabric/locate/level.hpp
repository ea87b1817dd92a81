// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The loss that all measurements of a kind share, due not to an element but to software, the line rate or a
// busy round.
#pragma once

#include <span>
#include <vector>

#include "model/fabric/locate/paths/incidence.hpp"

namespace assay::model::fabric::locate {

/// The level of each measurement, the median loss of those like it: of its kind, round and number of hops; of
/// its kind and number of hops where these are few; of its kind where those are few. Medians stay where fewer
/// than half of these are slow.
std::vector<double> levels(const Incidence& incidence, std::span<const Measurement> measurements,
                           std::span<const double> losses);

}  // namespace assay::model::fabric::locate
