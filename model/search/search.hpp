// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The best configurations of the whole space.
// What the networks' sizes and constraints on degrees forbid is left out at once. Of each other configuration
// it is known whether it fits; its time is worked out unless a lower bound (step_bound.hpp) proves it slower
// than the best of its tensor_par and microbatch size, so that counts do not depend on threads. The Pareto
// front and limits of time take every evaluation.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "model/search/best_candidates.hpp"
#include "model/search/constraints.hpp"
#include "model/search/pareto_front.hpp"
#include "model/search/space.hpp"

namespace assay::model {

struct SearchResult {
  // enumerated: the whole space; placed: the networks' sizes and the constraints on degrees allow it;
  // feasible: of those, what fits the memories and meets every constraint
  std::int64_t enumerated = 0, placed = 0, feasible = 0;
  // times that were worked out, and those that a bound made needless: what is feasible but slower than the
  // best
  std::int64_t evaluated = 0, avoided = 0;
  std::vector<Candidate> best;  // at most as many as asked, best first
  std::vector<Trade> front;     // where asked for, fastest first
};

struct SearchOptions {
  std::size_t top = 10;
  unsigned threads = 1;  // at least 1
  bool front = false;    // the Pareto front too
  Constraints constraints = {};
};

/// The best of every configuration, less those whose degrees a constraint forbids. A configuration that
/// misfit() refuses (Calculon's search ends with an assertion there) counts as enumerated and infeasible.
/// Throws a usage Error where the system lacks the data type.
SearchResult search(const Question& question, const SearchOptions& options);

/// The counts, a row for each of the best, the front where there is one, and under assay's model where times
/// of the best come from; ends with a newline.
std::string to_text(const Question& question, const SearchResult& result,
                    const Constraints& constraints = {});
/// {"configurations", "placed", "fit", "evaluated", "avoided"}.
nlohmann::json counts_json(const SearchResult& result);
/// As Calculon's search writes it: {"0": {"execution": ..., "stats": ...}, ...}, best first; under assay's
/// model each also with what `assay predict` says besides the numbers.
nlohmann::json to_json(const Question& question, const SearchResult& result);
/// The front: what each of it reaches, {"sample_rate", "tier1_bytes", "offload_b_per_s"}, and its execution;
/// where no bandwidth is enough that is null, and "unbounded" lists its name.
nlohmann::json to_json(const std::vector<Trade>& front);

}  // namespace assay::model
