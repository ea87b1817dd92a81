// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Known causes of low rates, and which of them fit a loss best: each usually costs a share between two
// bounds. A loss within has the density of a uniform distribution over that range, one outside falls off as a
// normal distribution does.
#pragma once

#include <string>
#include <vector>

#include "results/expected/published.hpp"
#include "results/expected/question.hpp"

namespace assay::results::expected {

struct FittingCause {
  std::string what, usual_loss, command;  // "18 to 26 %"; what distinguishes it
};

/// The best three, the best first. `loss`: the share that is lost against the usual value; `system` may be
/// null.
std::vector<FittingCause> fitting_causes(const Question& question, const System* system, double loss);

}  // namespace assay::results::expected
