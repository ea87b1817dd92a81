// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The simulated GPU of a whole program: how many, and what is wrong with them, as the environment says
// (harness/core/tests/simulated/node.hpp); here sums_are_wrong and lost_after_grids=N are added.
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

#include "harness/core/tests/simulated/node.hpp"
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
  gpu().devices = core::simulated::Node::shared().gpus();
  for (const std::string& fault : core::simulated::Node::shared().faults().others) take_fault(fault);
  return true;
}();

}  // namespace
}  // namespace assay::cuda::simulated
