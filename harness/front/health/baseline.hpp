// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// An expectation that is written from a good node.
#pragma once

#include <string>

#include "harness/front/health/snapshot/snapshot.hpp"

namespace assay::health {

/// TOML as read_expectation() takes it. What this node does not report is left out, and named in a comment.
std::string baseline_of(const Snapshot& snapshot, const std::string& utc);

}  // namespace assay::health
