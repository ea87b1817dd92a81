// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Streams of a step, from operations that wait for one another.
#pragma once

#include <string>
#include <vector>

#include "harness/training/training_step.hpp"

namespace assay::model::workload {

/// Operations, each after those that it waits for, by place. One that neither computes nor exchanges passes
/// on what it waits for.
struct OperationGraph {
  std::vector<training::StepOperation> operations = {};
  std::vector<std::vector<std::size_t>> before = {};
};

/// Operations that follow one another alone are one stream. Throws a usage Error naming `file` for more than
/// training::most_streams of them.
std::vector<training::StepStream> operation_chains(const OperationGraph& graph, const std::string& file);

}  // namespace assay::model::workload
