// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Gives the simulated GPU of a whole program the fault that ASSAY_SIMULATED_FAULT names: sums_are_wrong, or
// lost_after_grids=N.
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "harness/cuda/tests/simulated/simulated_gpu.hpp"

namespace assay::cuda::simulated {
namespace {

const bool has_its_fault = [] {
  const char* const asked = std::getenv("ASSAY_SIMULATED_FAULT");
  if (asked == nullptr) return false;
  constexpr std::string_view lost_after = "lost_after_grids=";
  const std::string_view fault(asked);
  if (fault == "sums_are_wrong") {
    gpu().sums_are_wrong = true;
  } else if (fault.starts_with(lost_after)) {
    gpu().grids_until_loss = std::atoi(asked + lost_after.size());
  } else {
    std::cerr << "ASSAY_SIMULATED_FAULT: no such fault: " << fault << '\n';
    std::exit(2);
  }
  return true;
}();

}  // namespace
}  // namespace assay::cuda::simulated
