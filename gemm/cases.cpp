// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "gemm/cases.hpp"

#include <utility>

namespace assay::gemm {

std::vector<core::Case> cases(const machine::Machine& machine) {
  std::vector<core::Case> all = host_cases(machine);
  for (core::Case& one : cuda_cases(machine)) all.push_back(std::move(one));
  return all;
}

}  // namespace assay::gemm
