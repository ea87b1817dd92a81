// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Which runs a verdict is of, by name and by a digest of their records: a verdict stands beside the records
// it was made of, and beside no others.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "results/judge/verdicts.hpp"
#include "results/store/store.hpp"

namespace assay::results {

/// Of these runs, or of all where there are none, in order of their names. Unknown runs are left out.
std::vector<JudgedRun> judged_runs(const Store& store, std::span<const std::string> runs = {});

/// Why the verdicts are not of this store, in one line; "" where they are, and for what judges a host and no
/// runs (check). `reported` is the run beside which they are to stand; empty: all runs of the store.
std::string why_not_of(const Store& store, const std::string& reported, const Verdicts& verdicts);

}  // namespace assay::results
