// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Copies with known numbers: two GPUs and two NUMA nodes, one of them far from each; both ways; page-locked
// and pageable; among the GPUs; both at once.
#pragma once

#include <vector>

#include "results/record/journal.hpp"

namespace assay::results::test {

/// GB/s that the link of every GPU leaves one way.
inline constexpr double fixed_link_ceiling_gb_per_s = 60;

std::vector<Record> fixed_copies();

}  // namespace assay::results::test
