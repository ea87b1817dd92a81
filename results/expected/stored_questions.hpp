// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Numbers of a store as questions, and as the history of a site.
#pragma once

#include <map>
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
  std::int64_t left_out = 0;  // other ok points of the run: of them nothing is published anywhere
};

/// The ok points of a run. Of a sweep over sizes all; the system follows from the name of the GPUs, else is
/// `default_system`.
StoredQuestions questions_of(const RunPoints& run, const Published& published,
                             const std::string& default_system, const std::string& network);

/// All numbers of a store, read once. Store and published values must live as long.
class SiteHistory {
 public:
  SiteHistory(const Store& store, const Published& published) : store_(store), published_(published) {}

  /// Values of the same operation, ranks, nodes and bytes on the same kind of machine in all runs; nothing
  /// where there is none. Machines that name no GPU count as the question's. `without`: a run that takes no
  /// part.
  std::optional<OwnHistory> of(const Question& question, const std::string& without);

 private:
  struct RunQuestions {
    std::string run_id;
    std::vector<Question> questions;
  };
  const std::vector<RunQuestions>& questions_for(const std::string& system);
  bool is_same_machine(const Question& own, const Question& question) const;

  const Store& store_;
  const Published& published_;
  std::map<std::string, std::vector<RunQuestions>> by_system_;
};

}  // namespace assay::results::expected
