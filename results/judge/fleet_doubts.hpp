// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What in a store keeps its hosts from being judged as equals, whatever they measured: machines that are two,
// or one under two names, points that mean something else on one host, GPUs that nobody measured.
#pragma once

#include <string>

#include "results/judge/verdicts.hpp"
#include "results/store/store.hpp"

namespace assay::results {

/// One INCONCLUSIVE row for each; none, and a verdict of NOT_RUN, where nothing is in doubt.
Verdicts fleet_doubts(const Store& store);

}  // namespace assay::results
