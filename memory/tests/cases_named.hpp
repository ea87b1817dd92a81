// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The module's cases whose names begin alike.
#pragma once

#include <string_view>
#include <vector>

#include "memory/cases.hpp"

namespace assay::memory::tests {

inline std::vector<core::Case> cases_named(std::string_view beginning, const machine::Machine& machine = {}) {
  std::vector<core::Case> named = cases(machine);
  std::erase_if(named, [&](const core::Case& one) { return !one.name.starts_with(beginning); });
  return named;
}

}  // namespace assay::memory::tests
