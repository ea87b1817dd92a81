// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What is wrong with the rows of a tuner file taken one by one and together: pairs that NCCL never runs,
// channel counts that are impossible, ranges that overlap or leave gaps.
#pragma once

#include <string>
#include <vector>

#include "collectives/tuner/tuner_csv.hpp"

namespace assay::collectives {

/// Of reading and of these checks, by line.
std::vector<TunerFault> all_faults(const TunerFile& file);

/// What no row can say and a user should know: where the rows of each communicator end.
std::vector<std::string> tuner_notes(const TunerFile& file);

/// What the plug-in answers: "line 7: tree, ll, 4 channels".
std::string answer_text(const TunerFile& file, const TunerQuestion& question);

}  // namespace assay::collectives
