// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How a measurement responds to a slow element. Times and rates are compared by logarithms: a link that keeps
// the factor f of its capacity has the loss x = -ln f, and a rate that falls by the loss y is multiplied by
// exp(-y).
#pragma once

#include <cmath>
#include <vector>

namespace assay::model::fabric::locate {

/// With this probability, `share` of the measured flow falls by max(0, x - slack): the link has capacity left
/// up to a loss of `slack`, and limits the flow from there on.
struct Outcome {
  double probability = 0, slack = 0, share = 1;
  double fall(double loss) const {
    const double felt = std::fmax(0, loss - slack);
    return share == 1 ? felt : -std::log1p(share * std::expm1(-felt));
  }
};

/// Outcomes at one element. Their probabilities and that of not crossing the element add up to 1.
using Response = std::vector<Outcome>;

/// Losses above this are not distinguished: 2 % of the capacity.
inline constexpr double greatest_loss = 4;

}  // namespace assay::model::fabric::locate
