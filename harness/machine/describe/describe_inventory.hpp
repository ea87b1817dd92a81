// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Board, memory modules, power supplies and drives in the text of `assay machine`.
#pragma once

#include <string>

#include "harness/machine/machine.hpp"

namespace assay::machine {

/// Equal parts on one line, with the slot of each; "" where nothing is known. Begins and ends with a line
/// feed.
std::string inventory_text(const Machine& machine);

}  // namespace assay::machine
