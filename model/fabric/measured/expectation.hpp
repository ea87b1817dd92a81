// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A run's measurements against what the fabric should do, simulated. The difference is unexplained.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/fabric/measured/run_operations.hpp"
#include "model/fabric/simulate/answer/answer.hpp"

namespace assay::model::fabric::measured {

struct ExpectedOperation {
  MeasuredOperation measured;
  results::Number simulated_us = {};  // the median over hash seeds
  /// Measured over simulated speed, 1 where the fabric does what it should; with its interval.
  results::Number speed = {};
  std::vector<SharingRuleKind> rules = {};
};

/// Each on the fabric by itself. Bounds of the simulated time: 5 and 95 % over hash seeds, with the goodput
/// at the ends of its interval; those of the speed take the measured time's too. Throws as simulate.
std::vector<ExpectedOperation> expected_operations(const FabricFile& fabric, RunOperations operations,
                                                   const SimulationOptions& options);

/// `run`: "run r1 of store.sqlite (measured)". Throws a usage Error where there are no operations, with what
/// was left out.
Answer expectation_answer(const FabricFile& fabric, const std::string& run,
                          const std::vector<ExpectedOperation>& operations,
                          const std::map<std::string, std::size_t>& left_out,
                          const SimulationOptions& options);

/// Multiplies times of collectives by what the median of the same collective and algorithm took longer than
/// simulated. Throws a usage Error where streams overlap, or nothing of the workload was measured.
void scale_to_measured(const std::vector<ExpectedOperation>& operations, const std::string& run,
                       Simulation& simulation);

}  // namespace assay::model::fabric::measured
