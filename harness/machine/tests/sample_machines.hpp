// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Two fixed machines for descriptions: a node of eight GPUs and eight HCAs with three links trained too low,
// and a small virtual machine that tells little.
#pragma once

#include "harness/machine/machine.hpp"

namespace assay::machine {

Machine full_node();
Machine bare_node();

}  // namespace assay::machine
