// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Questions about training at scale, each answered by searches that differ in one thing: an answer in a
// sentence, and the tables behind it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "model/explain/trial.hpp"

namespace assay::model {

struct Explanation {
  std::string answer;
  std::vector<results::Table> tables;
  bool holds = true;                       // something fits; a lint has no warning
  std::vector<std::string> warnings = {};  // of the measured times that the best rest on: measured_use.hpp
};

/// {"answer": ..., "tables": [...], "warnings": [...]}, tables as `assay show --format json` writes them.
nlohmann::json to_json(const Explanation& explanation);

/// Finds where strong scaling stops (no larger count returns half of what its added processors would at the
/// first count's rate a processor), and which terms take the processors' time. `processors` ascend, two at
/// least.
Explanation explain_scaling(const Subject& subject, const std::vector<std::int64_t>& processors);

/// Finds the smallest size of the first network tier that is within 1 % of the best, for each number of
/// processors.
Explanation explain_domain(const Subject& subject, const std::vector<std::int64_t>& processors,
                           const std::vector<std::int64_t>& domains);

/// Finds the capacities and bandwidths of the second memory that are within 1 % of a second memory without
/// limits.
Explanation explain_offload(const Subject& subject, std::int64_t processors,
                            const std::vector<std::int64_t>& capacities_gib,
                            const std::vector<double>& bandwidths_gb_per_s);

/// Compares numbers of blocks of the same model: how many mappings each has, and how fast the best is.
Explanation explain_blocks(const Subject& subject, std::int64_t processors,
                           const std::vector<std::int64_t>& blocks);

struct NamedApplication {
  std::string name;
  Application application;
};
/// Finds which models fit, and at what MFU; the application of `subject` is not used.
Explanation explain_fits(const Subject& subject, std::int64_t processors,
                         const std::vector<NamedApplication>& models);

}  // namespace assay::model
