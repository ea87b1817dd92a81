// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// `assay reliability` as a section of `assay report`.
#pragma once

#include <string>

#include "results/points/run_points.hpp"
#include "results/report/reliability.hpp"

namespace assay::cli {

/// A job on whole nodes; the rest is as assay reliability has it by default.
struct JobOfPage {
  std::string rates;  // file
  double gpus = 0;
  std::string state;  // bytes that a GPU saves: the run's checkpoints then say what that costs; "": assumed
};

/// Throws a usage Error as that command does.
results::PredictedReliability predicted_reliability(const JobOfPage& job, const results::RunPoints& run);

}  // namespace assay::cli
