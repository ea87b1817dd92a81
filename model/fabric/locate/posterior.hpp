// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How sure it is which element is slow, and how slow it is.
#pragma once

#include "model/fabric/locate/locate.hpp"

namespace assay::model::fabric::locate {

/// `evidence` has what else is slow. Probability of a class: exp(gain) times the width of the likelihood in
/// ln(loss), sqrt(2 pi) over the root of its curvature, times its number of elements. `chance` is left at 1.
Suspect suspect_of(Evidence& evidence, const Slow& slow, double least_loss);

}  // namespace assay::model::fabric::locate
