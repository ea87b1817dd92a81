// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Numbers of a store as questions, and as the history of a site.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/expected/published.hpp"
#include "results/expected/question.hpp"
#include "results/expected/standing.hpp"
#include "results/points/run_points.hpp"

namespace assay::results::expected {

struct StoredQuestions {
  std::vector<Question> questions;
  std::int64_t left_out = 0;  // ok points of which nothing is published anywhere
};

/// The ok points of a run. Of a sweep over sizes all; the system follows from the name of the GPUs, else is
/// `otherwise`.
StoredQuestions questions_of(const RunPoints& run, const Published& published, const std::string& otherwise,
                             const std::string& network);

/// Values of the same operation, ranks, nodes and bytes in all runs; nothing where there is none. `without`:
/// a run that takes no part.
std::optional<OwnHistory> own_history(const Store& store, const Published& published,
                                      const Question& question, const std::string& without);

}  // namespace assay::results::expected
