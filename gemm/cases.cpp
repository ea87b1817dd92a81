// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "gemm/cases.hpp"

#include <algorithm>
#include <iterator>

namespace assay::gemm {

std::vector<core::Case> cases(const machine::Machine& machine) {
  std::vector<core::Case> all = host_cases(machine);
  for (std::vector<core::Case> more :
       {host_corruption_cases(machine), cuda_cases(machine), cuda_corruption_cases()})
    std::ranges::move(more, std::back_inserter(all));
  return all;
}

}  // namespace assay::gemm
