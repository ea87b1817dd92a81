// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Points of a run that need hardware which this machine was built without.
#pragma once

#include <map>
#include <string>

#include "harness/machine/machine.hpp"

namespace assay::machine {

using LeftOut = std::map<Hardware, long>;  // points

long points_of(const LeftOut& left_out);
/// "no GPU: 72 points left out", one line each.
std::string to_text(const LeftOut& left_out);

}  // namespace assay::machine
