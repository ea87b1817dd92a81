// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Faults in the rows of a tuner file, taken one by one and together: pairs that NCCL never runs, channel
// counts that are impossible, ranges that overlap or leave gaps.
#pragma once

#include <string>
#include <vector>

#include "collectives/tuner/tuner_csv.hpp"

namespace assay::collectives {

/// Faults found by reading and by these checks, sorted by line.
std::vector<TunerFault> all_faults(const TunerFile& file);

/// Notes that no row can hold and a user should know: where the rows of each communicator end.
std::vector<std::string> tuner_notes(const TunerFile& file);

/// The answer of the plug-in: "line 7: tree, ll, 4 channels".
std::string answer_text(const TunerFile& file, const TunerQuestion& question);

}  // namespace assay::collectives
