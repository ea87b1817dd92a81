// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The origin of this program's numbers. Programs of a simulated GPU are linked with another answer
// (docs/developing/testing.md).
#pragma once

#include "results/record/record.hpp"

namespace assay::run {

results::Origin origin_of_numbers();

}  // namespace assay::run
