// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The cases that a module program has, as it lists them itself.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/front/suite/processes/modules.hpp"

namespace assay::suite {

/// The output of `MODULE --list=FORMAT`: text, json or names. Throws a system Error where it fails.
std::string cases_listed(const ModuleProgram& module, const std::string& format);

/// "; --filter 'memory.host.raed' matches no case; did you mean memory.host.read?", for the first filter
/// without a case; "" where each has one.
std::string filter_without_case(std::span<const std::string> filters, std::span<const ModuleProgram> modules);

}  // namespace assay::suite
