// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The best configurations of the whole space.
// Nothing is pruned by a bound: what is left out before evaluation is what no evaluation could let pass
// (places that the networks' sizes forbid, constraints on degrees), and each other configuration is
// evaluated.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "model/search/constraints.hpp"
#include "model/search/pareto_front.hpp"
#include "model/search/space.hpp"

namespace assay::model {

struct Candidate {
  double sample_rate = 0;  // sequences a second
  Execution execution;
};

/// Faster first; equal ones in an order that does not depend on threads.
bool better(const Candidate& left, const Candidate& right);

struct SearchResult {
  // enumerated: the whole space; placed: the networks' sizes and the constraints on degrees allow it;
  // feasible: of those, what fits the memories and meets every constraint
  std::int64_t enumerated = 0, placed = 0, feasible = 0;
  std::vector<Candidate> best;  // at most as many as asked, best first
  std::vector<Trade> front;     // where asked for, fastest first
};

struct SearchOptions {
  std::size_t top = 10;
  unsigned threads = 1;  // at least 1
  bool front = false;    // the Pareto front too
  Constraints constraints = {};
};

/// Evaluates every configuration, less those whose degrees a constraint forbids. A configuration that
/// misfit() refuses (Calculon's search ends with an assertion there) counts as enumerated and infeasible.
/// Throws a usage Error where the system lacks the data type.
SearchResult search(const Question& question, const SearchOptions& options);

/// The counts, a row for each of the best, the front where there is one, and under assay's model where times
/// of the best come from; ends with a newline.
std::string to_text(const Question& question, const SearchResult& result,
                    const Constraints& constraints = {});
/// As Calculon's search writes it: {"0": {"execution": ..., "stats": ...}, ...}, best first; under assay's
/// model each also with what `assay predict` says besides the numbers.
nlohmann::json to_json(const Question& question, const SearchResult& result);
/// The front: what each of it reaches, {"sample_rate", "tier1_bytes", "offload_b_per_s"}, and its execution;
/// where no bandwidth is enough that is null, and "unbounded" lists its name.
nlohmann::json to_json(const std::vector<Trade>& front);

}  // namespace assay::model
