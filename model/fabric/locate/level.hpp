// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What all measurements of a kind lose alike is not due to an element: software, the line rate, a busy round.
#pragma once

#include <span>
#include <vector>

#include "model/fabric/locate/incidence.hpp"

namespace assay::model::fabric::locate {

/// Of each measurement, the median loss of its kind: of its round and number of hops; of all with its number
/// of hops where these are few; of all where those are few. Medians stay where fewer than half of a kind are
/// slow.
std::vector<double> levels(const Incidence& incidence, std::span<const Measurement> measurements,
                           std::span<const double> losses);

}  // namespace assay::model::fabric::locate
