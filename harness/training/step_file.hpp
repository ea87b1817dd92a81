// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A step as a workload file (TOML), with the keys that assay fabric simulate reads; and back.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "harness/training/training_step.hpp"

namespace assay::training {

/// Splits StepOperation::groups into the texts of single groups.
std::vector<std::string> group_texts(const std::string& groups);

/// {"name", "ranks", "processor_usage", "stream": [{"name", "after", "op": [...]}]}, of operations without a
/// matrix.
nlohmann::json to_json(const TrainingStep& step);

/// FILE.toml, and FILE-matrix1.csv for each matrix, next to it. Throws a usage Error where a file cannot be
/// written.
void write_step(const TrainingStep& step, const std::string& file);

/// Reads what write_step wrote, or a workload file that a fabric simulates. Keys that modules do not use are
/// in `unused`. Throws a usage Error with file, line, key and what was expected, also for several jobs, and
/// for traffic that only a fabric simulates.
TrainingStep read_step(const std::string& file);

}  // namespace assay::training
