// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Two ways in which other suites find a sound set, as their source and documents describe them. Each group is
// tested once.
#pragma once

#include <vector>

#include "harness/front/campaign/grow/sound_set.hpp"

namespace assay::campaign {

/// rccl_pairwise of ROCm/cvs: a reference node, every other node with it, then one node after the other joins
/// the set if the set still passes.
std::vector<int> set_by_reference(int nodes, const GroupTest& test);

/// NVIDIA's Cluster Readiness Engine: groups of about the square root, halves of those that fail, probes over
/// the border where both halves pass, and a suspect again with a partner that passed.
std::vector<int> set_by_halves(int nodes, const GroupTest& test);

}  // namespace assay::campaign
