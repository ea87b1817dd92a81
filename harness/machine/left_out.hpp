// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Points of a run that need hardware which this machine, or a component which this program, was built
// without.
#pragma once

#include <map>
#include <string>

#include "harness/machine/machine.hpp"

namespace assay::machine {

/// Points by what is absent: "no GPU", "built without CUDA".
using LeftOut = std::map<std::string, long>;

long points_of(const LeftOut& left_out);
/// The absence of the component by which programs use the hardware: "built without CUDA".
std::string built_without(Hardware hardware);
/// "no GPU: 72 points left out", one line each.
std::string to_text(const LeftOut& left_out);

}  // namespace assay::machine
