// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The collectives module's part of the fixed run: all-reduce on 4 ranks by two algorithms and MPI, of which
// each wins somewhere, and all-gather on 8 ranks without a library.
#pragma once

#include "results/tests/run_builder.hpp"

namespace assay::results::test {

void add_collectives(RunBuilder& builder);

}  // namespace assay::results::test
