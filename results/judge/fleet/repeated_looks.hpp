// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Errors of judges that look after each round, and stop where they see enough: each look is another chance to
// err.
#pragma once

#include <cstddef>

#include "results/judge/fleet/fleet_judgement.hpp"

namespace assay::results {

/// Looks after this many rounds, one more, and so on up to the last.
struct Looks {
  std::size_t first = 1, last = 1;
};

/// The level of each look at which a mean of rounds with independent normal noise crosses its limit in any
/// look with probability `error` (Pocock 1977), by integration from look to look (Armitage, McPherson and
/// Rowe 1969). `error` is from 0 to a half, and `first` at most `last`.
double level_of_each_look(double error, Looks looks);

/// The rules with both errors shared over the looks.
FleetRules rules_of_each_look(FleetRules rules, Looks looks);

}  // namespace assay::results
