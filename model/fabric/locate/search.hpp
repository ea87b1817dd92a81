// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Forward and backward steps of the search for slow elements.
#pragma once

#include <span>
#include <vector>

#include "model/fabric/locate/evidence.hpp"

namespace assay::model::fabric::locate {

struct Candidate {
  std::size_t of_class = 0;
  Gain gain;
};

/// The classes with the largest gains, refined, by falling gain; at most `most`, none with a loss below
/// `least_loss`.
std::vector<Candidate> best_candidates(Evidence& evidence, double least_loss, std::size_t most);

/// All of `slow` but the one at `left_out`.
std::vector<Slow> without(std::span<const Slow> slow, std::size_t left_out);

/// Refits every loss, drops what gains less than `threshold` and replaces what another element explains
/// better, until nothing changes. `evidence` is left with the result.
void polish(Evidence& evidence, std::vector<Slow>& slow, double least_loss, double threshold);

}  // namespace assay::model::fabric::locate
