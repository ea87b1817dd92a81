// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Everything that a model takes from runs, in one file.
#pragma once

#include <string>
#include <vector>

#include "harness/front/answers/fit_kinds.hpp"
#include "harness/front/answers/fit_source.hpp"

namespace assay::answers {

struct FittedAll {
  model::fit::AllCoefficients all;
  std::vector<std::string> warnings;
  std::string text;  // of each kind as FittedKind has it, then what was not measured
};

/// Fits every kind that the runs have, and describes the system that they measured. A kind without rows, or
/// with rows that its fit cannot use, is named in `not_measured`. Throws a usage Error where no kind is left.
FittedAll fit_all(const FitSource& source, const FitChoices& choices);

}  // namespace assay::answers
