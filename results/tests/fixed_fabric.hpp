// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The rdma module's part of the fixed run: four hosts on 400 Gb/s RoCE, with one slow direction, one link
// that loses, one that is congested, and one whose counters could not be followed.
#pragma once

#include "results/tests/run_builder.hpp"

namespace assay::results::test {

void add_fabric(RunBuilder& builder);

}  // namespace assay::results::test
