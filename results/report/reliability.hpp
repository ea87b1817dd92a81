// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The cost of failures to a job, as a page shows it: predicted by others from a table of rates and this run's
// measured checkpoints.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "results/table/table.hpp"

namespace assay::results {

struct PredictedReliability {
  struct Share {
    double interval_s = 0;
    Number useful;  // of the time, with the interval of the rate
  };
  /// One kind of checkpoints over the interval between them.
  struct Checkpoints {
    std::string kind;  // blocking, asynchronous
    double best_interval_s = 0;
    std::vector<Share> shares;
  };
  struct Spares {
    std::int64_t nodes = 0;
    double probability = 0;  // that a job restarts at once
  };

  std::string about;  // one line: job, rates, where costs of checkpoints come from
  std::vector<Checkpoints> checkpoints;
  std::vector<Spares> spares;
  std::vector<std::string> cautions = {};
};

nlohmann::ordered_json reliability_chart(const PredictedReliability& predicted);
/// Chart and tables; "" without a prediction.
std::string reliability_section(const std::optional<PredictedReliability>& predicted);

}  // namespace assay::results
