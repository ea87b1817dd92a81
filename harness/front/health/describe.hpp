// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Findings for people and for programs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/front/health/checks/checks.hpp"
#include "results/table/table.hpp"

namespace assay::health {

/// Most severe first. Without `all`, what passed or is absent is a count in the notes.
results::Table to_table(std::vector<Finding> findings, bool all);

/// Names of checks and what each looks at.
results::Table table_of(std::span<const Check> checks);

/// "FAIL: 2 failed, 1 unknown, 3 noticed, 120 passed, 9 absent".
std::string summary(const std::vector<Finding>& findings);

}  // namespace assay::health
