// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/cases.hpp"

#include <algorithm>
#include <iterator>

#include "memory/cuda_cases.hpp"

namespace assay::memory {

std::vector<core::Case> cases(const machine::Machine& machine) {
  std::vector<core::Case> all = host_cases(machine);
  std::ranges::move(host_corruption_cases(machine), std::back_inserter(all));
  std::ranges::move(cuda_cases(machine), std::back_inserter(all));
  return all;
}

}  // namespace assay::memory
