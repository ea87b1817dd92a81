// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How often a node fails, from failures that were counted by component.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay::model::reliability {

struct Interval {
  double lower = 0, upper = 0;
};

/// Failures of one kind of component on nodes that were watched for so long.
struct CountedFailures {
  std::string component;
  std::int64_t failures = 0;
  double node_days = 0;  // above 0
};

/// Failures of a node in a day.
struct FailureRate {
  double per_node_day = 0;
  std::optional<Interval> interval = {};  // 95 %; none: the source states no counts

  double per_1000_node_days() const { return 1000 * per_node_day; }
};

/// The sum over components, each a Poisson count. Its interval is that of Fay and Feuer (1997, "Confidence
/// intervals for directly standardized rates", Statistics in Medicine 16) for weighted sums, which is the
/// exact one of Garwood (1936) where all were watched for the same time.
FailureRate rate_of(const std::vector<CountedFailures>& counts);

/// Hours between failures of any of `nodes` nodes, if they fail independently at this rate: 24 / (nodes x
/// rate). Small jobs fail more often than this law says (Kokolis et al. 2024, "Revisiting reliability in
/// large-scale machine learning research clusters": 7.9 h at 128 nodes, where it predicts 28.8 h).
double mean_hours_to_failure(double per_node_day, double nodes);

/// The probability that `nodes` nodes have no failure in `days` days.
double probability_without_failure(double per_node_day, double nodes, double days);

}  // namespace assay::model::reliability
