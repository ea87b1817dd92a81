// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A group: one block choice in one layout, with all that is tried around it. How many of it fit, and which
// are the fastest.
#pragma once

#include <cstdint>
#include <vector>

#include "model/predict/step/step.hpp"
#include "model/search/around_sets.hpp"
#include "model/search/best_candidates.hpp"
#include "model/search/constraints.hpp"
#include "model/search/pareto_front.hpp"

namespace assay::model {

/// Results of one item, one thread or all.
struct Finds {
  explicit Finds(std::size_t top) : best(top) {}
  void add(const Finds& others);

  std::int64_t placed = 0, feasible = 0, evaluated = 0, avoided = 0;
  BestCandidates best;
  ParetoFront front;
};

/// Inputs that every thread reads.
struct SearchTask {
  const AroundSets& arounds;
  const Constraints& constraints;
  std::size_t top;
  bool front;  // the Pareto front is wanted too

  /// Whether configurations slower than the best are needed too.
  bool needs_all() const { return front || constraints.need_evaluation(); }
};

struct Group {
  Execution execution;  // without what is tried around it
  const BlockCost& block;
  const Schedule& schedule;
};

class GroupSearch {
 public:
  GroupSearch(const Question& question, const SearchTask& task, Finds& finds)
      : question_(question), task_(task), finds_(finds) {}

  /// Counts those that fit the memories and the constraints on memory.
  std::int64_t count_fitting(Group group) const;
  /// Evaluates all of them; returns how many met every constraint.
  std::int64_t evaluate(Group group);

 private:
  void find(const Execution& execution);

  const Question& question_;
  const SearchTask& task_;
  Finds& finds_;
  Step step_;
};

}  // namespace assay::model
