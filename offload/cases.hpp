// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Everything the offload module measures, from the CASES in its CMakeLists.txt.
#pragma once

#include <vector>

#include "harness/core/case_of.hpp"
#include "harness/machine/machine.hpp"
#include "offload/settings.hpp"

namespace assay::offload {

/// The command line's settings must outlive the cases: they may be read later.
struct Surroundings {
  const ModuleSettings* module = nullptr;
  machine::Machine machine = {};
};

std::vector<core::Case> cases(const Surroundings& around);

}  // namespace assay::offload
