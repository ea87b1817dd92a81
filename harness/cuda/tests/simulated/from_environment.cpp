// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The simulated GPU of a whole program: ASSAY_SIMULATED_GPUS says how many, and ASSAY_SIMULATED_FAULT what is
// wrong with them, sums_are_wrong or lost_after_grids=N.
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "harness/cuda/tests/simulated/simulated_gpu.hpp"

namespace assay::cuda::simulated {
namespace {

void take_fault(std::string_view fault) {
  constexpr std::string_view lost_after = "lost_after_grids=";
  if (fault == "sums_are_wrong") {
    gpu().sums_are_wrong = true;
  } else if (fault.starts_with(lost_after)) {
    gpu().grids_until_loss = std::atoi(fault.data() + lost_after.size());
  } else {
    std::cerr << "ASSAY_SIMULATED_FAULT: no such fault: " << fault << '\n';
    std::exit(2);
  }
}

const bool taken = [] {
  if (const char* const gpus = std::getenv("ASSAY_SIMULATED_GPUS")) gpu().devices = std::atoi(gpus);
  if (const char* const fault = std::getenv("ASSAY_SIMULATED_FAULT")) take_fault(fault);
  return true;
}();

}  // namespace
}  // namespace assay::cuda::simulated
