// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One whole run with made-up numbers, the same on every machine: what golden tests and the browser test read.
// Its origin is "simulated", because that is what it is.
#pragma once

#include <vector>

#include "results/record/journal.hpp"

namespace assay::results::test {

std::vector<Record> fixed_run(const std::string& run_id = "20260102T030405Z-node-a-0001");

}  // namespace assay::results::test
