// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What every judge of a store says beside its own verdicts: which of the records are no sound evidence.
#pragma once

#include <span>
#include <string>

#include "results/judge/verdicts.hpp"
#include "results/store/run_doubts.hpp"
#include "results/store/store.hpp"

namespace assay::results {

/// An INCONCLUSIVE row for each doubt about these runs (run_doubts.hpp), or about all where there are none.
/// No row where all is sound. `more` are doubts that the store does not know of.
Verdicts judge_store(const Store& store, const std::string& command, std::span<const std::string> runs = {},
                     std::span<const RunDoubt> more = {});

}  // namespace assay::results
