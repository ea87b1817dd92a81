// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One health check of a node: reads it, compares with what the logbook holds or with a second reading,
// judges, and leaves a logbook for the next.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "harness/front/health/expectation.hpp"
#include "harness/front/health/finding.hpp"
#include "harness/front/health/snapshot/snapshot.hpp"

namespace assay::health {

struct CheckOrder {
  Expectation expected;
  std::set<std::string> waived;
  std::string logbook;  // file
  std::function<Snapshot()> read;
  std::function<JobAnswers(const JobNeeds&)> ask = ask_for;  // once, after the last reading
  std::function<void()> wait;  // between two readings, where no logbook of this start of the node is there
  std::string utc;
};

/// Checks this node over a window: the time since the logbook, if that is of this start of the node; else the
/// time between two readings, and in the kernel's log all since the start. Throws a usage Error for a logbook
/// that cannot be read.
std::vector<Finding> check_node(const CheckOrder& order);

}  // namespace assay::health
