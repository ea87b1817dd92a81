// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The dependence of the best configuration on each coefficient of the system: the search again with the
// coefficient at both ends of its interval.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "model/predict/measured/measured_collective.hpp"
#include "model/search/search.hpp"
#include "model/search/system_file.hpp"
#include "results/table/table.hpp"

namespace assay::model {

struct Coefficient {
  std::string key;  // its place in the system file, or a file of assay fit and what of it
  double value = 0, low = 0, high = 0;
  bool stated = false;  // the interval is the system file's own
  /// Puts it at an end where it is one of assay fit, which the system file does not hold.
  std::function<void(System& system, End end)> move = {};
};

/// Throughput of both engines, bandwidth of both memories (of the second where there is one), bandwidth,
/// latency and processor usage of every network: at `share` (0.1 is 10 %) below and above, or where the
/// file's top-level object `intervals` states one ("networks[0].bandwidth": [430, 452]) at its ends; and
/// whatever else it names. Coefficients of 0 without a stated interval are left out. Throws a usage Error
/// naming file and key for an unusable interval, or one without the value.
std::vector<Coefficient> coefficients(const SystemFile& file, Datatype datatype, double share);

/// Those of assay fit that the question's system has, with the intervals of the fit: of products each
/// coefficient of the formula; of every collective of that number of processors, bandwidth and latency,
/// each in all its segments at once (shown are the bandwidth of the last and the latency of the first).
/// Without those whose interval has no width.
std::vector<Coefficient> measured_coefficients(const Question& question);

/// The best with the coefficient at one end.
struct Optimum {
  Execution execution;
  double sample_rate = 0;  // sequences a second
  double step_s = 0;
};
struct AtEnd {
  std::optional<Optimum> best;  // nothing where nothing fits any more
  bool same_mapping = false;    // as with the value itself
  double kept_rate = 0;  // sequences a second of the mapping that was the best; 0 where it does not fit
};
struct Sensitivity {
  Coefficient coefficient;
  AtEnd low, high;
};

struct SensitivityResult {
  Optimum best;
  std::vector<Sensitivity> coefficients;  // the largest change of the rate first
};

/// The change of the rate, as a share: -0.05 is 5 % slower; -1 where nothing fits.
double change(const AtEnd& end, const Optimum& best);

/// `question.system` is `file`'s; `best` is the best that search() found with these options.
SensitivityResult sensitivity(const Question& question, const SystemFile& file, const SearchOptions& options,
                              const Candidate& best, const std::vector<Coefficient>& coefficients);

results::Table to_table(const SensitivityResult& result);
nlohmann::json to_json(const SensitivityResult& result);

}  // namespace assay::model
