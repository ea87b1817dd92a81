// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Mappings that differ in what a user would notice.
#pragma once

#include <cstddef>
#include <vector>

#include "model/search/best_candidates.hpp"
#include "model/search/space.hpp"

namespace assay::model {

/// The first `most` of `best` that differ in degrees, tiers, rate or memory from all before them: a switch
/// without effect, such as recomputing attention that keeps nothing, makes no other mapping.
std::vector<Candidate> distinct(const Question& question, const std::vector<Candidate>& best,
                                std::size_t most);

}  // namespace assay::model
