// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Everything the offload module measures, from the CASES in its CMakeLists.txt.
#pragma once

#include <filesystem>
#include <vector>

#include "harness/core/measure/case_of.hpp"
#include "harness/machine/machine.hpp"

namespace assay::offload {

/// The command line's settings for this module alone.
struct ModuleSettings {
  std::filesystem::path checkpoint_folder = ".";
};

/// The command line's settings must outlive the cases: they may be read later.
struct Surroundings {
  const ModuleSettings* module = nullptr;
  machine::Machine machine = {};
};

std::vector<core::Case> cases(const Surroundings& around);

}  // namespace assay::offload
