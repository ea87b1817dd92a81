// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A check of a node, and what it read, as Prometheus metrics with stable names: docs/reference/exporters.md.
#pragma once

#include <string>
#include <vector>

#include "harness/front/health/finding.hpp"
#include "harness/front/health/snapshot/snapshot.hpp"

namespace assay::health {

struct CheckMoment {
  double unix_s = 0;      // when it ended
  double duration_s = 0;  // of the check
  std::string origin;     // measured; imported: files in place of the machine; simulated
};

/// Text exposition format 0.0.4. What was not read has no series.
std::string to_metrics(const Snapshot& now, const std::vector<Finding>& findings, const CheckMoment& moment);

}  // namespace assay::health
