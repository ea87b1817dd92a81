// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Training as all ranks saw it: the rank where something went wrong first, else the digest that every run of
// the same step on equal hosts has.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "collectives/training/step_log.hpp"

namespace assay::collectives {

/// A rank's steps, as rank 0 learns of them.
struct RankSteps {
  std::vector<double> losses = {};              // of its first run, by step
  std::vector<integrity::Digest> weights = {};  // after each
  std::optional<Finding> finding = {};
  std::string leak = {};  // empty: memory is steady
};
std::string to_text(const RankSteps& steps);
/// Throws core::Error (team) on a text of another form.
RankSteps rank_steps_from(const std::string& text);

struct TrainingVerdict {
  int rank = -1;                         // whose fault it is; -1: nothing is wrong
  std::string why = {};                  // what is wrong there
  std::string digest = {};               // of every rank's losses and the last weights
  double first_loss = 0, last_loss = 0;  // means over ranks and the first and last five steps
};
/// Loss must fall below this share of the first.
inline constexpr double least_fall = 0.9;
TrainingVerdict verdict_of(const std::vector<RankSteps>& by_rank);
std::string to_text(const TrainingVerdict& verdict);
/// Throws core::Error (team) on a text of another form.
TrainingVerdict training_verdict_from(const std::string& text);

}  // namespace assay::collectives
