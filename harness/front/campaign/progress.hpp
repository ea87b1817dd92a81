// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Progress shown while nodes measure: how many have ended, which is the slowest, and how long it takes.
#pragma once

#include <chrono>
#include <iosfwd>
#include <string>

#include "harness/front/campaign/nodes/node_answers.hpp"

namespace assay::campaign {

/// "soak-1: 3 of 4 nodes ended, 1 lost; slowest n3, 41 points; 2 min so far, 3 min left"
std::string progress_text(const std::string& stage_run, const NodeAnswers& answers, double elapsed_s,
                          double expected_s);

/// Prints a line when something changed, but not too often.
class Progress {
 public:
  /// `expected_s`: what the stage takes by its plan; 0: unknown.
  Progress(std::string stage_run, double expected_s, std::ostream& out);
  void show(const NodeAnswers& answers);

 private:
  std::string stage_run_;
  double expected_s_;
  std::ostream& out_;
  std::chrono::steady_clock::time_point start_, shown_;
  std::string last_;
};

}  // namespace assay::campaign
