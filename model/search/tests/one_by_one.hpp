// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A space so small that every configuration can be evaluated from the beginning: what a search is judged by.
#pragma once

#include "model/search/search.hpp"

namespace assay::model {

/// 12 blocks on 16 processors.
Question small_question();

/// A model of grouped queries, gated MLPs, a vocabulary and `experts` (0: none) on 8 processors, under
/// assay's model.
Question small_assay_question(std::int64_t experts);

/// For each of `constraints` all that fit and meet it, best first.
std::vector<std::vector<Candidate>> one_by_one(const Question& asked,
                                               const std::vector<Constraints>& constraints);

}  // namespace assay::model
