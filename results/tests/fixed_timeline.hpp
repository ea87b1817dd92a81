// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A made-up burn-in of an hour: two rounds, the second cut, with a finding and readings of two GPUs.
#pragma once

#include "results/record/timeline.hpp"

namespace assay::results::test {

Timeline fixed_timeline();

}  // namespace assay::results::test
